// story: A function object in __s_maybe_inplace_mutate__ is called, and what it answers is thrown away.
// breaks: VIS-0044 fail
#include "hook_registration.h"

static int throw_away(void* hook, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(hook, args, num_args, result);
  if (code != 0) return code;
  if (result->type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(result->v_obj);
  *result = (TVMFFIAny){.type_index = kTVMFFIUnchanged};
  return 0;
}

int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* name, const TVMFFIAny* value) {
  if (is(name, "__s_maybe_inplace_mutate__")) return wrapped_hook(type_index, name, value, throw_away);
  return real.TVMFFITypeRegisterAttr(type_index, name, value);
}
