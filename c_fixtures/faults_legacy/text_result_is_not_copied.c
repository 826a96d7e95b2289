// story: A result that is a text points to the callee's memory.
// breaks: LEG-0015 fail
#include "fault.h"

static __thread int is_text;

int TVMCFuncSetReturn(TVMRetValueHandle ret, TVMValue* value, int* type_code, int num_ret) {
  int handle = kTVMOpaqueHandle;
  if (num_ret != 1 || *type_code != kTVMStr) return real.TVMCFuncSetReturn(ret, value, type_code, num_ret);
  is_text = 1;
  return real.TVMCFuncSetReturn(ret, value, &handle, 1);
}

int TVMFuncCall(TVMFunctionHandle func, TVMValue* arg_values, int* type_codes, int num_args, TVMValue* ret_val, int* ret_type_code) {
  int code = real.TVMFuncCall(func, arg_values, type_codes, num_args, ret_val, ret_type_code);
  if (code == 0 && is_text && *ret_type_code == kTVMOpaqueHandle) *ret_type_code = kTVMStr;
  is_text = 0;
  return code;
}
