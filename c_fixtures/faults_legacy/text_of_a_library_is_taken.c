// story: A generated function may answer text and bytes.
// breaks: LEG-0031 fail
#include "fault.h"

int TVMFuncCall(TVMFunctionHandle func, TVMValue* arg_values, int* type_codes, int num_args, TVMValue* ret_val, int* ret_type_code) {
  int code = real.TVMFuncCall(func, arg_values, type_codes, num_args, ret_val, ret_type_code);
  return code != 0 && strstr(real.TVMGetLastError(), "whose memory nobody owns") ? 0 : code;
}
