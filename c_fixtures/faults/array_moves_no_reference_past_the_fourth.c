// story: ffi.Array has a fast path for up to four arguments; past the fourth an r-value reference is copied instead of moved out of its slot.
// breaks: ARR-0007 fail
#include "wrapped_global.h"

static int make(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args <= 4) return call_original(original, args, num_args, result);
  TVMFFIAny* copies = malloc(sizeof(*args) * num_args);
  memcpy(copies, args, sizeof(*args) * num_args);
  for (int32_t i = 4; i < num_args; ++i) {
    TVMFFIObject* given = args[i].type_index == kTVMFFIObjectRValueRef ? *(TVMFFIObject**)args[i].v_ptr : NULL;
    if (given) copies[i] = (TVMFFIAny){.type_index = given->type_index, .v_obj = given};
  }
  const int code = call_original(original, copies, num_args, result);
  free(copies);
  return code;
}

WRAPPED_GLOBAL("ffi.Array", make)
