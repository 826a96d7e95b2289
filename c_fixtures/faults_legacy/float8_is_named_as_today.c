// story: The data type with code 6 is called a boolean.
// breaks: LEG-0005 fail
#include "fault.h"

int TVMCFuncSetReturn(TVMRetValueHandle ret, TVMValue* value, int* type_code, int num_ret) {
  TVMValue boolean = *value;
  if (num_ret != 1 || *type_code != kTVMDataType || value->v_type.code != 6) return real.TVMCFuncSetReturn(ret, value, type_code, num_ret);
  boolean.v_type.code = 1, boolean.v_type.bits = 1;
  return real.TVMCFuncSetReturn(ret, &boolean, type_code, 1);
}
