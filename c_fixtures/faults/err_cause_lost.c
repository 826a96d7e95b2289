// story: An error with a cause that passes a third nested TVMFFIFunctionCall is made anew without its cause.
// breaks: ERR-0023 fail
#include "fault.h"
static __thread int depth;
int TVMFFIFunctionCall(TVMFFIObjectHandle func, TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  ++depth;
  int code = real.TVMFFIFunctionCall(func, args, num_args, result);
  if (code != 0 && depth == 3) {
    TVMFFIObjectHandle error = NULL, other = NULL;
    real.TVMFFIErrorMoveFromRaised(&error);
    TVMFFIErrorCell* cell = (TVMFFIErrorCell*)((TVMFFIObject*)error + 1);
    if (error && cell->cause_chain && real.TVMFFIErrorCreate(&cell->kind, &cell->message, &cell->backtrace, &other) == 0) {
      real.TVMFFIObjectDecRef(error);
      error = other;
    }
    real.TVMFFIErrorSetRaised(error);
    if (error) real.TVMFFIObjectDecRef(error);
  }
  --depth;
  return code;
}
