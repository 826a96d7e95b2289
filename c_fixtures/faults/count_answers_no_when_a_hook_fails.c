// story: ffi.MapCount and ffi.DictCount take any failure of the search for a key that is not there, that of a hook too.
// breaks: HSH-0015 fail
#include "wrapped_global.h"

static int count(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 && num_args == 2 && (args[0].type_index == kTVMFFIMap || args[0].type_index == kTVMFFIDict) &&
      args[1].type_index >= kTVMFFIDynObjectBegin) {
    TVMFFIObjectHandle raised = NULL;
    real.TVMFFIErrorMoveFromRaised(&raised);
    if (raised) real.TVMFFIObjectDecRef(raised);
    memset(result, 0, sizeof(*result));
    result->type_index = kTVMFFIInt;
    return 0;
  }
  return code;
}

WRAPPED_GLOBALS(count, "ffi.MapCount", "ffi.DictCount")
