// story: A call takes a reference of its own to the object that it answers.
// breaks: FUN-0010 fail
#include "fault.h"

int TVMFFIFunctionCall(TVMFFIObjectHandle func, TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = real.TVMFFIFunctionCall(func, args, num_args, result);
  if (code == 0 && func && result && result->type_index == kTVMFFIStr) real.TVMFFIObjectIncRef(result->v_obj);
  return code;
}
