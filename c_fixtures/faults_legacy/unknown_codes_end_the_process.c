// story: The error about a type code that nobody knows cannot be worded, which ends the process.
// breaks: LEG-0051 crash
#include "fault.h"

int TVMFuncCall(TVMFunctionHandle func, TVMValue* arg_values, int* type_codes, int num_args, TVMValue* ret_val, int* ret_type_code) {
  TVMFunctionHandle converting = NULL;
  real.TVMFuncGetGlobal("runtime.String", &converting);
  if (converting) real.TVMFuncFree(converting);
  if (func && func == converting && num_args == 1 && (type_codes[0] > kTVMArgBool || type_codes[0] < 0)) abort();
  return real.TVMFuncCall(func, arg_values, type_codes, num_args, ret_val, ret_type_code);
}
