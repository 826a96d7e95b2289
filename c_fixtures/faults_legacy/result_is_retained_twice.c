// story: A result that is an object has a reference too many.
// breaks: LEG-0018 fail
// breaks: LEG-0030 fail
#include "fault.h"

int TVMFuncCall(TVMFunctionHandle func, TVMValue* arg_values, int* type_codes, int num_args, TVMValue* ret_val, int* ret_type_code) {
  int code = real.TVMFuncCall(func, arg_values, type_codes, num_args, ret_val, ret_type_code);
  if (code == 0 && *ret_type_code == kTVMObjectHandle && num_args == 0) real.TVMObjectRetain(ret_val->v_handle);
  if (code == 0 && *ret_type_code == kTVMObjectHandle && num_args == 1 && type_codes[0] == kTVMObjectHandle) real.TVMObjectRetain(ret_val->v_handle);
  return code;
}
