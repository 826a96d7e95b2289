// story: The list of the names of global functions is made anew only when their number has changed.
// breaks: GLB-0020 fail
#include "wrapped_global.h"

static _Thread_local struct { TVMFFIObjectHandle lister; int64_t count; } kept;

static int list(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny minus_one = {.type_index = kTVMFFIInt, .v_int64 = -1}, count = {0};
  int code = call_original(original, args, num_args, result);
  if (code != 0 || real.TVMFFIFunctionCall(result->v_obj, &minus_one, 1, &count) != 0) return code;
  if (kept.lister && kept.count != count.v_int64) real.TVMFFIObjectDecRef(kept.lister);
  if (kept.lister && kept.count == count.v_int64) {
    real.TVMFFIObjectDecRef(result->v_obj);
    result->v_obj = kept.lister;
  }
  kept.lister = result->v_obj;
  kept.count = count.v_int64;
  return real.TVMFFIObjectIncRef(kept.lister);
}

WRAPPED_GLOBAL("ffi.FunctionListGlobalNamesFunctor", list)
