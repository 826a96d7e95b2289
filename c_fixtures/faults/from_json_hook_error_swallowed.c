// story: When the function in __data_from_json__ of a node's type fails, the reader of JSON graphs drops the error and puts None in the node's place.
// breaks: HOK-0009 fail
#include "hook_registration.h"
#include "raised_error.h"
static int from_json(void* hook, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (call_original(hook, args, num_args, result) == 0) return 0;
  forget_raised();
  *result = (TVMFFIAny){.type_index = kTVMFFINone};
  return 0;
}
int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* name, const TVMFFIAny* value) {
  if (!is(name, "__data_from_json__")) return real.TVMFFITypeRegisterAttr(type_index, name, value);
  return wrapped_hook(type_index, name, value, from_json);
}
