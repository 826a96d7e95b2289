// story: An attribute whose payload is zero, such as false, counts as not set: setting it again puts another value in its place.
// breaks: RFL-0026 fail
#include "fault.h"
int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* attr_name, const TVMFFIAny* attr_value) {
  const TVMFFITypeAttrColumn* column = attr_name && attr_value && type_index > 0 ? real.TVMFFIGetTypeAttrColumn(attr_name) : NULL;
  if (column && type_index < column->size) {
    TVMFFIAny* entry = (TVMFFIAny*)&column->data[type_index];
    if (entry->type_index != kTVMFFINone && entry->type_index < kTVMFFISmallStr && entry->v_uint64 == 0 && real.TVMFFIGetTypeInfo(type_index)) {
      return real.TVMFFIAnyViewToOwnedAny(attr_value, entry);
    }
  }
  return real.TVMFFITypeRegisterAttr(type_index, attr_name, attr_value);
}
