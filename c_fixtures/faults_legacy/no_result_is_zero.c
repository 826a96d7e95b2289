// story: A function that sets no result answers the integer 0.
// breaks: LEG-0003 fail
#include "fault.h"

int TVMFuncCall(TVMFunctionHandle func, TVMValue* arg_values, int* type_codes, int num_args, TVMValue* ret_val, int* ret_type_code) {
  int code = real.TVMFuncCall(func, arg_values, type_codes, num_args, ret_val, ret_type_code);
  if (code == 0 && *ret_type_code == kTVMNullptr) ret_val->v_int64 = 0, *ret_type_code = kTVMArgInt;
  return code;
}
