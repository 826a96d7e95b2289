// story: What a function in __ffi_compare__ answers is kept in a signed char, so that 256 is 0 and 200 is negative.
// breaks: HOK-0005 fail
#include "hook_registration.h"
static int compare(void* hook, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(hook, args, num_args, result);
  if (code == 0 && result->type_index == kTVMFFIInt) result->v_int64 = (signed char)result->v_int64;
  return code;
}
int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* name, const TVMFFIAny* value) {
  if (!is(name, "__ffi_compare__")) return real.TVMFFITypeRegisterAttr(type_index, name, value);
  return wrapped_hook(type_index, name, value, compare);
}
