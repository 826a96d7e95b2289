// story: The error of a hook that ffi.RecursiveHash asks comes out as a new one with its kind and message.
// breaks: ERR-0023 fail
#include "wrapped_global.h"

static int hash(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
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

WRAPPED_GLOBAL("ffi.RecursiveHash", hash)
