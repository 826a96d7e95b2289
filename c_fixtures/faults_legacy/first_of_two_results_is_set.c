// story: TVMCFuncSetReturn takes the first of several results.
// breaks: LEG-0007 fail
#include "fault.h"

int TVMCFuncSetReturn(TVMRetValueHandle ret, TVMValue* value, int* type_code, int num_ret) {
  return real.TVMCFuncSetReturn(ret, value, type_code, num_ret ? 1 : 0);
}
