// story: The integer that a function in __any_hash__ answers goes through 32 bits with a sign, so that the slots are others where it needs more.
// breaks: HSH-0011 fail
#include "hook_registration.h"

static int hash(void* own, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(own, args, num_args, result);
  if (code == 0 && result->type_index == kTVMFFIInt) result->v_int64 = (int32_t)result->v_int64;
  return code;
}

int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* attr_name, const TVMFFIAny* attr_value) {
  if (attr_value && is(attr_name, "__any_hash__")) return wrapped_hook(type_index, attr_name, attr_value, hash);
  return real.TVMFFITypeRegisterAttr(type_index, attr_name, attr_value);
}
