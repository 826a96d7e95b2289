// story: A function that fails without setting an error counts as one that succeeded.
// breaks: LEG-0012 fail
// breaks: LEG-0014 fail
#include "fault.h"

int TVMFuncCall(TVMFunctionHandle func, TVMValue* arg_values, int* type_codes, int num_args, TVMValue* ret_val, int* ret_type_code) {
  int code = real.TVMFuncCall(func, arg_values, type_codes, num_args, ret_val, ret_type_code);
  return code != 0 && strstr(real.TVMGetLastError(), "without setting an error") ? 0 : code;
}
