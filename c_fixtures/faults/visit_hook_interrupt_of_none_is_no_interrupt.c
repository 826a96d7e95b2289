// story: A VisitInterrupt whose value is None, from a function in __s_visit__, is taken for no interrupt: the walk goes on.
// breaks: VIS-0043 fail
#include "hook_registration.h"

static int go_on(void* hook, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(hook, args, num_args, result);
  if (code == 0 && result->type_index == kTVMFFIVisitInterrupt && ((const TVMFFIAny*)(result->v_obj + 1))->type_index == kTVMFFINone) {
    real.TVMFFIObjectDecRef(result->v_obj);
    *result = (TVMFFIAny){0};
  }
  return code;
}

int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* name, const TVMFFIAny* value) {
  if (is(name, "__s_visit__")) return wrapped_hook(type_index, name, value, go_on);
  return real.TVMFFITypeRegisterAttr(type_index, name, value);
}
