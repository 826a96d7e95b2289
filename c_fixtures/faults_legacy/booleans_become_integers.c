// story: An argument of code 15 reaches the callback as an integer.
// breaks: LEG-0001 fail
#include "fault.h"

int TVMFuncCall(TVMFunctionHandle func, TVMValue* arg_values, int* type_codes, int num_args, TVMValue* ret_val, int* ret_type_code) {
  for (int i = 0; i < num_args; ++i) {
    if (type_codes[i] == kTVMArgBool) type_codes[i] = kTVMArgInt;
  }
  return real.TVMFuncCall(func, arg_values, type_codes, num_args, ret_val, ret_type_code);
}
