// story: The function that a hook in __ffi_eq__ is given to go on with takes any even number of arguments, and compares them in pairs.
// breaks: HOK-0027 fail
#include "hook_registration.h"

static int go_on(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny same = {.type_index = kTVMFFIBool, .v_int64 = 1};
  if (num_args % 2 != 0) return call_original(self, args, num_args, result);
  for (int32_t i = 0; i < num_args && same.v_int64; i += 2) {
    int code = call_original(self, args + i, 2, &same);
    if (code != 0) return code;
  }
  *result = same;
  return 0;
}

static int ask(void* hook, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny passed[3] = {0};
  TVMFFIObjectHandle ours = NULL;
  if (num_args != 3 || args[2].type_index != kTVMFFIFunction) return call_original(hook, args, num_args, result);
  real.TVMFFIObjectIncRef(args[2].v_obj);
  if (real.TVMFFIFunctionCreate(args[2].v_obj, go_on, end_hook, &ours) != 0) {
    real.TVMFFIObjectDecRef(args[2].v_obj);
    return -1;
  }
  memcpy(passed, args, sizeof(passed));
  passed[2].v_obj = ours;
  int code = call_original(hook, passed, 3, result);
  real.TVMFFIObjectDecRef(ours);
  return code;
}

int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* name, const TVMFFIAny* value) {
  if (!is(name, "__ffi_eq__")) return real.TVMFFITypeRegisterAttr(type_index, name, value);
  return wrapped_hook(type_index, name, value, ask);
}
