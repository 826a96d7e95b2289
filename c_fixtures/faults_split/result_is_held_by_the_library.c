// story: TVMFFIFunctionCall keeps a reference to an object that a function answers.
// breaks: SPL-0015 fail
#include "split_fault.h"

int TVMFFIFunctionCall(TVMFFIObjectHandle func, TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = real.TVMFFIFunctionCall(func, args, num_args, result);
  if (code == 0 && result->type_index == kTVMFFIObject) real.TVMFFIObjectIncRef(result->v_obj);
  return code;
}
