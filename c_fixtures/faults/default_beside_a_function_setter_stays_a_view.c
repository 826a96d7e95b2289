// story: Where a field's setter is a function object, its default is stored as it was given: a C string there stays a pointer to the caller's characters.
// breaks: RFL-0006 fail
#include "fault.h"

int TVMFFITypeRegisterField(int32_t type_index, const TVMFFIFieldInfo* info) {
  int status = real.TVMFFITypeRegisterField(type_index, info);
  int64_t both = kTVMFFIFieldFlagBitMaskHasDefault | kTVMFFIFieldFlagBitSetterIsFunctionObj;
  if (status || (info->flags & both) != both) return status;
  if (info->default_value_or_factory.type_index != kTVMFFIRawStr) return status;
  const TVMFFITypeInfo* type = real.TVMFFIGetTypeInfo(type_index);
  TVMFFIAny* place = (TVMFFIAny*)&type->fields[type->num_fields - 1].default_value_or_factory;
  if (place->type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(place->v_obj);
  *place = info->default_value_or_factory;
  return status;
}
