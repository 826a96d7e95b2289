// story: What a function in `__ffi_repr__` prints of a part is printed anew, and so a part that contains the object without end.
// breaks: HOK-0023 crash
#include "hook_registration.h"

static _Thread_local int depth;

static int print_part(void* go_on, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  (void)go_on;
  /* Where the stack of most threads would have ended. */
  if (++depth > 300) abort();
  int code = call_global("ffi.ReprPrint", args, num_args, result);
  --depth;
  return code;
}

static int print(void* hook, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 2) return call_original(hook, args, num_args, result);
  TVMFFIObjectHandle wrapper = NULL;
  if (real.TVMFFIFunctionCreate(args[1].v_obj, print_part, NULL, &wrapper) != 0) return -1;
  TVMFFIAny changed[2] = {args[0], {.type_index = kTVMFFIFunction, .v_obj = wrapper}};
  int code = call_original(hook, changed, 2, result);
  real.TVMFFIObjectDecRef(wrapper);
  return code;
}

int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* name, const TVMFFIAny* value) {
  if (is(name, "__ffi_repr__")) return wrapped_hook(type_index, name, value, print);
  return real.TVMFFITypeRegisterAttr(type_index, name, value);
}
