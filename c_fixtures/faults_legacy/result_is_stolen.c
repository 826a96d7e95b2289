// story: TVMCFuncSetReturn takes the callback's reference over.
// breaks: LEG-0018 fail
#include "fault.h"

int TVMCFuncSetReturn(TVMRetValueHandle ret, TVMValue* value, int* type_code, int num_ret) {
  int code = real.TVMCFuncSetReturn(ret, value, type_code, num_ret);
  if (code == 0 && *type_code == kTVMObjectHandle) real.TVMObjectFree(value->v_handle);
  return code;
}
