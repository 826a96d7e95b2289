// story: A call without arguments is refused where the arrays are NULL and a result is asked of a callback without a resource.
// breaks: LEG-0002 fail
#include "fault.h"

static TVMFunctionHandle without;

int TVMFuncCreateFromCFunc(TVMFrontendCPackedFunc func, void* resource_handle, TVMPackedCFuncFinalizer fin, TVMFunctionHandle* out) {
  int code = real.TVMFuncCreateFromCFunc(func, resource_handle, fin, out);
  if (code == 0 && !resource_handle && !without) without = *out;
  return code;
}

int TVMFuncCall(TVMFunctionHandle func, TVMValue* arg_values, int* type_codes, int num_args, TVMValue* ret_val, int* ret_type_code) {
  if (num_args == 0 && !arg_values && func == without && ret_type_code && *ret_type_code == 9) {
    real.TVMAPISetLastError("ValueError: the arrays are NULL");
    return -1;
  }
  return real.TVMFuncCall(func, arg_values, type_codes, num_args, ret_val, ret_type_code);
}
