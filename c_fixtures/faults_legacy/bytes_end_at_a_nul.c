// story: A result that is bytes ends at the first NUL.
// breaks: LEG-0016 fail
#include "fault.h"

int TVMFuncCall(TVMFunctionHandle func, TVMValue* arg_values, int* type_codes, int num_args, TVMValue* ret_val, int* ret_type_code) {
  int code = real.TVMFuncCall(func, arg_values, type_codes, num_args, ret_val, ret_type_code);
  if (code == 0 && *ret_type_code == kTVMBytes) ((TVMByteArray*)ret_val->v_handle)->size = strlen(((TVMByteArray*)ret_val->v_handle)->data);
  return code;
}
