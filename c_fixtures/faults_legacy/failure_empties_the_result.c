// story: A call that fails writes no value into the places of the result.
// breaks: LEG-0006 fail
#include "fault.h"

int TVMFuncCall(TVMFunctionHandle func, TVMValue* arg_values, int* type_codes, int num_args, TVMValue* ret_val, int* ret_type_code) {
  int code = real.TVMFuncCall(func, arg_values, type_codes, num_args, ret_val, ret_type_code);
  if (code != 0 && ret_val && ret_type_code) ret_val->v_int64 = 0, *ret_type_code = kTVMNullptr;
  return code;
}
