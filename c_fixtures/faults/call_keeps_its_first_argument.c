// story: A call keeps a reference to the object that is its first argument.
// breaks: OBJ-0023 fail
#include "fault.h"

int TVMFFIFunctionCall(TVMFFIObjectHandle func, TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = real.TVMFFIFunctionCall(func, args, num_args, result);
  if (code == 0 && num_args > 0 && args[0].type_index == kTVMFFIObject) real.TVMFFIObjectIncRef(args[0].v_obj);
  return code;
}
