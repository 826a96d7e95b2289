// story: ffi.RecursiveHash raises an error whose message has a NUL in it anew, by its kind and message as C strings: what stands behind the NUL is lost.
// breaks: HOK-0009 fail
#include "raised_error.h"
#include "wrapped_global.h"
static int hash(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  TVMFFIObjectHandle error = NULL;
  if (code == 0) return 0;
  real.TVMFFIErrorMoveFromRaised(&error);
  if (error == NULL) return code;
  const TVMFFIErrorCell* cell = error_cell(error);
  if (memchr(cell->message.data, 0, cell->message.size)) {
    real.TVMFFIErrorSetRaisedFromCStr(cell->kind.data, cell->message.data);
  } else {
    real.TVMFFIErrorSetRaised(error);
  }
  real.TVMFFIObjectDecRef(error);
  return code;
}
WRAPPED_GLOBAL("ffi.RecursiveHash", hash)
