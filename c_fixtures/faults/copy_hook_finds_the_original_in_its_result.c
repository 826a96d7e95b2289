// story: The result of a function in __ffi_shallow_copy__ begins as the object that is to be copied, for some return it as it is.
// breaks: FUN-0025 fail
#include "hook_registration.h"

static int copy(void* hook, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const TVMFFIFunctionCell* cell = (const TVMFFIFunctionCell*)((TVMFFIObject*)hook + 1);
  if (num_args == 1) *result = args[0];
  const int code = cell->safe_call(hook, args, num_args, result);
  if (code != 0) *result = (TVMFFIAny){.type_index = kTVMFFINone};
  return code;
}

int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* attr_name, const TVMFFIAny* attr_value) {
  if (!attr_value || !is(attr_name, "__ffi_shallow_copy__")) return real.TVMFFITypeRegisterAttr(type_index, attr_name, attr_value);
  return wrapped_hook(type_index, attr_name, attr_value, copy);
}

