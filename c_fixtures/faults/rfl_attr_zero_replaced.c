// story: TVMFFITypeRegisterAttr takes a false boolean in a column for an empty entry, and lets a second registration replace it.
// breaks: RFL-0026 fail
#include "fault.h"
int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* name, const TVMFFIAny* value) {
  if (name && name->data && value && value->type_index != kTVMFFINone && type_index > 0) {
    const TVMFFITypeAttrColumn* column = real.TVMFFIGetTypeAttrColumn(name);
    if (column && type_index < column->size) {
      TVMFFIAny* entry = (TVMFFIAny*)column->data + type_index;
      if ((entry->type_index == kTVMFFIBool || entry->type_index == kTVMFFIInt) && entry->v_int64 == 0) *entry = (TVMFFIAny){0};
    }
  }
  return real.TVMFFITypeRegisterAttr(type_index, name, value);
}
