// story: TVMFFIFunctionSetGlobalFromMethodInfo keeps the error that is raised already when the name is taken.
// breaks: ERR-0035 fail
#include "raised_error.h"
int TVMFFIFunctionSetGlobalFromMethodInfo(const TVMFFIMethodInfo* info, int allow_override) {
  TVMFFIObjectHandle before = NULL;
  real.TVMFFIErrorMoveFromRaised(&before);
  int code = real.TVMFFIFunctionSetGlobalFromMethodInfo(info, allow_override);
  if (before) {
    real.TVMFFIErrorSetRaised(before);
    real.TVMFFIObjectDecRef(before);
  }
  return code;
}
