// story: A call of NULL ends the process.
// breaks: LEG-0050 crash
#include "fault.h"

int TVMFuncCall(TVMFunctionHandle func, TVMValue* arg_values, int* type_codes, int num_args, TVMValue* ret_val, int* ret_type_code) {
  if (!func) abort();
  return real.TVMFuncCall(func, arg_values, type_codes, num_args, ret_val, ret_type_code);
}
