// story: A call that fails raises a copy of the error that its callee has raised.
// breaks: ERR-0023 fail
// breaks: FUN-0014 fail
#include "fault.h"

int TVMFFIFunctionCall(TVMFFIObjectHandle func, TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = real.TVMFFIFunctionCall(func, args, num_args, result);
  TVMFFIObjectHandle error = NULL, copy = NULL;
  if (code == 0 || !func) return code;
  real.TVMFFIErrorMoveFromRaised(&error);
  if (!error) return code;
  TVMFFIErrorCell* cell = (TVMFFIErrorCell*)((TVMFFIObject*)error + 1);
  if (real.TVMFFIErrorCreate(&cell->kind, &cell->message, &cell->backtrace, &copy) == 0) {
    real.TVMFFIErrorSetRaised(copy);
    real.TVMFFIObjectDecRef(copy);
  }
  real.TVMFFIObjectDecRef(error);
  return code;
}
