// story: ffi.Map takes what is given away to it over before it asks the hooks of the keys, and forgets all of it when one fails.
// breaks: HSH-0015 fail
#include "wrapped_global.h"

static int make(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIObject* moved[64];
  int32_t count = 0;
  int has_hooks = 0;
  for (int32_t i = 0; i < num_args; ++i) {
    if (args[i].type_index != kTVMFFIObjectRValueRef) continue;
    TVMFFIObject* object = *(TVMFFIObject**)args[i].v_ptr;
    if (object == NULL || count == 64) continue;
    has_hooks |= object->type_index >= kTVMFFIDynObjectBegin;
    moved[count++] = object;
  }
  if (!has_hooks) return call_original(original, args, num_args, result);
  for (int32_t i = 0; i < count; ++i) real.TVMFFIObjectIncRef(moved[i]);
  int code = call_original(original, args, num_args, result);
  for (int32_t i = 0; i < count && code == 0; ++i) real.TVMFFIObjectDecRef(moved[i]);
  return code;
}

WRAPPED_GLOBAL("ffi.Map", make)
