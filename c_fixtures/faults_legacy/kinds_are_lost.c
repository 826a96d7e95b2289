// story: The text of every failed function begins with TVMError.
// breaks: LEG-0011 fail
#include "fault.h"

int TVMFuncCall(TVMFunctionHandle func, TVMValue* arg_values, int* type_codes, int num_args, TVMValue* ret_val, int* ret_type_code) {
  int code = real.TVMFuncCall(func, arg_values, type_codes, num_args, ret_val, ret_type_code);
  if (code != 0) {
    char text[4096];
    snprintf(text, sizeof(text), "TVMError: %s", real.TVMGetLastError());
    real.TVMAPISetLastError(text);
  }
  return code;
}
