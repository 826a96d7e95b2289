// story: The error of a callback comes out of ffi.StructuralMap as a new one with its kind and message, without its cause.
// breaks: ERR-0023 fail
#include "wrapped_global.h"

static int map(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0) return 0;
  TVMFFIObjectHandle error = NULL, copy;
  real.TVMFFIErrorMoveFromRaised(&error);
  if (!error) return code;
  const TVMFFIErrorCell* cell = (const TVMFFIErrorCell*)((TVMFFIObject*)error + 1);
  if (real.TVMFFIErrorCreate(&cell->kind, &cell->message, &cell->backtrace, &copy) == 0) {
    real.TVMFFIErrorSetRaised(copy);
    real.TVMFFIObjectDecRef(copy);
  }
  real.TVMFFIObjectDecRef(error);
  return code;
}

WRAPPED_GLOBAL("ffi.StructuralMap", map)
