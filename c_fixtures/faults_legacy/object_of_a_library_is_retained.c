// story: An object that a generated function answers is retained, although it moves.
// breaks: LEG-0030 fail
#include "fault.h"

static TVMFunctionHandle generated;

int TVMModGetFunction(TVMModuleHandle mod, const char* func_name, int query_imports, TVMFunctionHandle* out) {
  int code = real.TVMModGetFunction(mod, func_name, query_imports, out);
  if (code == 0) generated = *out;
  return code;
}

int TVMFuncCall(TVMFunctionHandle func, TVMValue* arg_values, int* type_codes, int num_args, TVMValue* ret_val, int* ret_type_code) {
  int code = real.TVMFuncCall(func, arg_values, type_codes, num_args, ret_val, ret_type_code);
  if (code == 0 && func == generated && *ret_type_code == kTVMObjectHandle) real.TVMObjectRetain(ret_val->v_handle);
  return code;
}
