// story: An integer result is cut to 32 bits.
// breaks: LEG-0004 fail
#include "fault.h"

int TVMFuncCall(TVMFunctionHandle func, TVMValue* arg_values, int* type_codes, int num_args, TVMValue* ret_val, int* ret_type_code) {
  int code = real.TVMFuncCall(func, arg_values, type_codes, num_args, ret_val, ret_type_code);
  if (code == 0 && *ret_type_code == kTVMArgInt) ret_val->v_int64 = (int32_t)ret_val->v_int64;
  return code;
}
