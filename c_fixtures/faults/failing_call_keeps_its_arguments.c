// story: A call that fails keeps a reference to each object among its arguments.
// breaks: FUN-0015 fail
#include "fault.h"

int TVMFFIFunctionCall(TVMFFIObjectHandle func, TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = real.TVMFFIFunctionCall(func, args, num_args, result);
  for (int32_t i = 0; code != 0 && func && i < num_args; i++) {
    if (args[i].type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectIncRef(args[i].v_obj);
  }
  return code;
}
