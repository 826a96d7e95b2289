// story: The kind of region that a function in `__s_equal__` passes is taken for none.
// breaks: HOK-0022 fail
#include "hook_registration.h"

static int compare_parts(void* go_on, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 4) return call_original(go_on, args, num_args, result);
  TVMFFIAny changed[4] = {args[0], args[1], args[2], args[3]};
  changed[2].v_int64 = kTVMFFIDefRegionKindNone;
  return call_original(go_on, changed, 4, result);
}

static int compare(void* hook, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 3) return call_original(hook, args, num_args, result);
  TVMFFIObjectHandle wrapper = NULL;
  if (real.TVMFFIFunctionCreate(args[2].v_obj, compare_parts, NULL, &wrapper) != 0) return -1;
  TVMFFIAny changed[3] = {args[0], args[1], {.type_index = kTVMFFIFunction, .v_obj = wrapper}};
  int code = call_original(hook, changed, 3, result);
  real.TVMFFIObjectDecRef(wrapper);
  return code;
}

int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* name, const TVMFFIAny* value) {
  if (is(name, "__s_equal__")) return wrapped_hook(type_index, name, value, compare);
  return real.TVMFFITypeRegisterAttr(type_index, name, value);
}
