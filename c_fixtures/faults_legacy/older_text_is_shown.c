// story: A failure that sets no error shows the text of an older one.
// breaks: LEG-0014 fail
#include "fault.h"

int TVMFuncCall(TVMFunctionHandle func, TVMValue* arg_values, int* type_codes, int num_args, TVMValue* ret_val, int* ret_type_code) {
  const char* text = real.TVMGetLastError();
  char* before = text ? strdup(text) : NULL;
  int code = real.TVMFuncCall(func, arg_values, type_codes, num_args, ret_val, ret_type_code);
  if (code != 0 && before && strstr(real.TVMGetLastError(), "without setting an error")) real.TVMAPISetLastError(before);
  free(before);
  return code;
}
