// story: The VisitInterrupt that a function object in __s_visit__ answers is dropped, and the walk goes on; that of a C function ends it.
// breaks: VIS-0043 fail
#include "hook_registration.h"
static int visit(void* hook, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(hook, args, num_args, result);
  if (code == 0 && result->type_index == kTVMFFIVisitInterrupt) {
    real.TVMFFIObjectDecRef(result->v_obj);
    *result = (TVMFFIAny){.type_index = kTVMFFINone};
  }
  return code;
}
int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* name, const TVMFFIAny* value) {
  if (!is(name, "__s_visit__")) return real.TVMFFITypeRegisterAttr(type_index, name, value);
  return wrapped_hook(type_index, name, value, visit);
}
