// story: A call that succeeds empties this thread's error text.
// breaks: LEG-0010 fail
#include "fault.h"

int TVMFuncCall(TVMFunctionHandle func, TVMValue* arg_values, int* type_codes, int num_args, TVMValue* ret_val, int* ret_type_code) {
  int code = real.TVMFuncCall(func, arg_values, type_codes, num_args, ret_val, ret_type_code);
  if (code == 0) real.TVMAPISetLastError("");
  return code;
}
