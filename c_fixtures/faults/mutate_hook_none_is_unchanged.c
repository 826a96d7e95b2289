// story: A hook that answers None is taken to have changed nothing.
// breaks: VIS-0044 fail
#include "hook_registration.h"

static int keep(void* hook, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(hook, args, num_args, result);
  if (code == 0 && result->type_index == kTVMFFINone) *result = (TVMFFIAny){.type_index = kTVMFFIUnchanged};
  return code;
}

int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* name, const TVMFFIAny* value) {
  if (is(name, "__s_mutate__")) return wrapped_hook(type_index, name, value, keep);
  return real.TVMFFITypeRegisterAttr(type_index, name, value);
}
