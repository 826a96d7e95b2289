// story: A default factory is called with the value of before, which is None.
// breaks: DCL-0005 fail
#include "fault.h"

static int with_argument(void* factory, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny none = {0};
  if (num_args != 0) return real.TVMFFIFunctionCall(factory, (TVMFFIAny*)args, num_args, result);
  return real.TVMFFIFunctionCall(factory, &none, 1, result);
}

int TVMFFITypeRegisterField(int32_t type_index, const TVMFFIFieldInfo* info) {
  TVMFFIFieldInfo changed = *info;
  TVMFFIObjectHandle wrapper = NULL;
  if (!(info->flags & kTVMFFIFieldFlagBitMaskDefaultFromFactory)) return real.TVMFFITypeRegisterField(type_index, info);
  /* The type keeps the factory. */
  if (real.TVMFFIFunctionCreate(info->default_value_or_factory.v_obj, with_argument, NULL, &wrapper) != 0) return -1;
  changed.default_value_or_factory.v_obj = wrapper;
  int code = real.TVMFFITypeRegisterField(type_index, &changed);
  real.TVMFFIObjectDecRef(wrapper);
  return code;
}
