// story: Registering None for a type that has the attribute takes the value away.
// breaks: RFL-0026 fail
#include "fault.h"
int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* name, const TVMFFIAny* value) {
  if (name && value && value->type_index == kTVMFFINone && type_index > 0) {
    const TVMFFITypeAttrColumn* column = real.TVMFFIGetTypeAttrColumn(name);
    if (column && type_index < column->size && column->data[type_index].type_index != kTVMFFINone) {
      TVMFFIAny* entry = (TVMFFIAny*)&column->data[type_index];
      TVMFFIAny old = *entry;
      memset(entry, 0, sizeof(*entry));
      if (old.type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(old.v_obj);
      return 0;
    }
  }
  return real.TVMFFITypeRegisterAttr(type_index, name, value);
}
