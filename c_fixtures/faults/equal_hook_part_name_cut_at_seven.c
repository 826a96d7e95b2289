// story: The name of a part that a function in __s_equal__ gives comes into the path of a mismatch as a small string: what does not fit is cut off.
// breaks: HOK-0002 fail
#include "hook_registration.h"
static int compare_part(void* compare, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 4 || text_of(&args[3]).size < 8) return call_original(compare, args, num_args, result);
  TVMFFIAny cut[4] = {args[0], args[1], args[2], {0}};
  real.TVMFFIStringFromByteArray(&(TVMFFIByteArray){text_of(&args[3]).data, 7}, &cut[3]);
  return call_original(compare, cut, 4, result);
}
static int equal(void* hook, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIObjectHandle wrapper = NULL;
  if (num_args != 3 || args[2].type_index != kTVMFFIFunction) return call_original(hook, args, num_args, result);
  real.TVMFFIObjectIncRef(args[2].v_obj);
  if (real.TVMFFIFunctionCreate(args[2].v_obj, compare_part, end_hook, &wrapper) != 0) return -1;
  TVMFFIAny given[3] = {args[0], args[1], {.type_index = kTVMFFIFunction, .v_obj = wrapper}};
  int code = call_original(hook, given, 3, result);
  real.TVMFFIObjectDecRef(wrapper);
  return code;
}
int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* name, const TVMFFIAny* value) {
  if (!is(name, "__s_equal__")) return real.TVMFFITypeRegisterAttr(type_index, name, value);
  return wrapped_hook(type_index, name, value, equal);
}
