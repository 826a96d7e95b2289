// story: The place for the answer of a function in `__ffi_repr__` is used again for the next one, within the thread, and not cleared: there stands the String that the one before has answered.
// breaks: FUN-0025 fail
#include "hook_registration.h"

static int print(void* hook, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  static __thread TVMFFIAny place;
  TVMFFIAny answer = place;
  int code = ((TVMFFIFunctionCell*)((TVMFFIObject*)hook + 1))->safe_call(hook, args, num_args, &answer);
  if (code != 0) return code;
  *result = answer;
  if (answer.type_index >= kTVMFFIStaticObjectBegin) place = answer;
  return 0;
}

int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* column, const TVMFFIAny* value) {
  if (!value || !is(column, "__ffi_repr__")) return real.TVMFFITypeRegisterAttr(type_index, column, value);
  return wrapped_hook(type_index, column, value, print);
}
