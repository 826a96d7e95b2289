// story: Callbacks get copies of the caller's arrays.
// breaks: LEG-0001 fail
#include "fault.h"

int TVMFuncCall(TVMFunctionHandle func, TVMValue* arg_values, int* type_codes, int num_args, TVMValue* ret_val, int* ret_type_code) {
  TVMValue values[8];
  int codes[8];
  if (num_args == 0 || num_args > 8) return real.TVMFuncCall(func, arg_values, type_codes, num_args, ret_val, ret_type_code);
  memcpy(values, arg_values, sizeof(TVMValue) * (size_t)num_args);
  memcpy(codes, type_codes, sizeof(int) * (size_t)num_args);
  return real.TVMFuncCall(func, values, codes, num_args, ret_val, ret_type_code);
}
