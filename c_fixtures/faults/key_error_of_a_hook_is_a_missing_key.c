// story: ffi.MapGetItemOrMissing and ffi.DictGetItemOrMissing take any KeyError for "not there", one that a hook of the key has raised, too.
// breaks: HOK-0009 fail
#include "wrapped_global.h"

static int get(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0) return 0;
  TVMFFIObjectHandle error = NULL;
  real.TVMFFIErrorMoveFromRaised(&error);
  if (!error) return code;
  int missing = is(&((TVMFFIErrorCell*)((TVMFFIObject*)error + 1))->kind, "KeyError");
  if (!missing) real.TVMFFIErrorSetRaised(error);
  real.TVMFFIObjectDecRef(error);
  return missing ? call_global("ffi.GetInvalidObject", NULL, 0, result) : code;
}

WRAPPED_GLOBALS(get, "ffi.MapGetItemOrMissing", "ffi.DictGetItemOrMissing")
