// story: ffi.MapForwardIterFunctor answers the iterator that the thread made last, with its place, if that is alive and of the same Map.
// breaks: MAP-0014 fail

#include "wrapped_global.h"

static _Thread_local void* last_map;
static _Thread_local TVMFFIObjectHandle last_made;

static int step(void* place, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  return real.TVMFFIFunctionCall(place, (TVMFFIAny*)args, num_args, result);
}

static void end(void* place) {
  last_map = NULL;
  real.TVMFFIObjectDecRef(place);
}

static int iterator(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 1 && args[0].type_index == kTVMFFIMap && args[0].v_obj == last_map) {
    real.TVMFFIObjectIncRef(last_made);
  } else {
    int code = call_original(original, args, num_args, result);
    if (code != 0) return code;
    code = real.TVMFFIFunctionCreate(result->v_obj, step, end, &last_made);
    if (code != 0) return code;
    last_map = args[0].v_obj;
  }
  *result = (TVMFFIAny){.type_index = kTVMFFIFunction, .v_ptr = last_made};
  return 0;
}

WRAPPED_GLOBAL("ffi.MapForwardIterFunctor", iterator)
