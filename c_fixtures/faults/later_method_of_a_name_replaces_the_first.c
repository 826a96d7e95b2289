// story: A method whose name the type has already takes the place of the one that was there.
// breaks: RFL-0016 fail
#include "fault.h"

int TVMFFITypeRegisterMethod(int32_t type_index, const TVMFFIMethodInfo* info) {
  const TVMFFITypeInfo* type = NULL;
  if (info && type_index >= kTVMFFIDynObjectBegin && info->method.type_index == kTVMFFIFunction) {
    type = real.TVMFFIGetTypeInfo(type_index);
  }
  for (int32_t i = 0; type && i < type->num_methods; ++i) {
    TVMFFIMethodInfo* former = (TVMFFIMethodInfo*)&type->methods[i];
    if (former->name.size != info->name.size || memcmp(former->name.data, info->name.data, info->name.size) != 0) continue;
    TVMFFIAny function = former->method;
    real.TVMFFIObjectIncRef(info->method.v_obj);
    former->method = info->method;
    former->flags = info->flags;
    return function.type_index >= kTVMFFIStaticObjectBegin ? real.TVMFFIObjectDecRef(function.v_obj) : 0;
  }
  return real.TVMFFITypeRegisterMethod(type_index, info);
}
