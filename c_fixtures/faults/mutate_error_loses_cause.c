// story: A structural mutation makes the error of a callback anew, to put a context on it, and forgets the cause that the error had.
// breaks: VIS-0012 fail
#include "raised_error.h"
#include "wrapped_global.h"

static int mutate(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0) return 0;
  TVMFFIObjectHandle error = NULL, copy = NULL;
  real.TVMFFIErrorMoveFromRaised(&error);
  if (!error) return code;
  const TVMFFIErrorCell* cell = error_cell(error);
  if (cell->cause_chain && real.TVMFFIErrorCreateWithCauseAndExtraContext(&cell->kind, &cell->message, &cell->backtrace,
                                                                         NULL, cell->extra_context, &copy) == 0) {
    real.TVMFFIErrorSetRaised(copy);
    real.TVMFFIObjectDecRef(copy);
  } else {
    real.TVMFFIErrorSetRaised(error);
  }
  real.TVMFFIObjectDecRef(error);
  return code;
}

WRAPPED_GLOBAL("ffi.StructuralMutate", mutate)
