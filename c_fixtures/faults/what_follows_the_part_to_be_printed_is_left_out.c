// story: The function that a hook in __ffi_repr__ is given to go on with prints its first argument, and does not look how many there are.
// breaks: HOK-0027 fail
#include "hook_registration.h"

static int go_on(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  return call_original(self, args, num_args > 1 ? 1 : num_args, result);
}

static int ask(void* hook, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny passed[2] = {0};
  TVMFFIObjectHandle ours = NULL;
  if (num_args != 2 || args[1].type_index != kTVMFFIFunction) return call_original(hook, args, num_args, result);
  real.TVMFFIObjectIncRef(args[1].v_obj);
  if (real.TVMFFIFunctionCreate(args[1].v_obj, go_on, end_hook, &ours) != 0) {
    real.TVMFFIObjectDecRef(args[1].v_obj);
    return -1;
  }
  memcpy(passed, args, sizeof(passed));
  passed[1].v_obj = ours;
  int code = call_original(hook, passed, 2, result);
  real.TVMFFIObjectDecRef(ours);
  return code;
}

int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* name, const TVMFFIAny* value) {
  if (!is(name, "__ffi_repr__")) return real.TVMFFITypeRegisterAttr(type_index, name, value);
  return wrapped_hook(type_index, name, value, ask);
}
