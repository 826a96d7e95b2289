// story: A result that is a data type arrives with code 5.
// breaks: LEG-0005 fail
#include "fault.h"

static __thread int is_type;

int TVMCFuncSetReturn(TVMRetValueHandle ret, TVMValue* value, int* type_code, int num_ret) {
  int integer = kTVMArgInt;
  if (num_ret != 1 || *type_code != kTVMDataType) return real.TVMCFuncSetReturn(ret, value, type_code, num_ret);
  is_type = 1;
  return real.TVMCFuncSetReturn(ret, value, &integer, 1);
}

int TVMFuncCall(TVMFunctionHandle func, TVMValue* arg_values, int* type_codes, int num_args, TVMValue* ret_val, int* ret_type_code) {
  int code = real.TVMFuncCall(func, arg_values, type_codes, num_args, ret_val, ret_type_code);
  if (code == 0 && is_type) *ret_type_code = kTVMDataType;
  is_type = 0;
  return code;
}
