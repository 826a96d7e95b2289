// story: An object is made from whatever names fit, and the others are dropped.
// breaks: INS-0021 fail
#include "fault.h"

int TVMFFIFunctionCall(TVMFFIObjectHandle func, TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  static TVMFFIObjectHandle make;
  const TVMFFIByteArray name = {"ffi.MakeObjectFromPackedArgs", 28};
  if (make == NULL) real.TVMFFIFunctionGetGlobal(&name, &make);
  if (func == make && num_args == 7 && args[5].type_index == kTVMFFIRawStr && strcmp(args[5].v_c_str, "nobody") == 0) {
    num_args = 5;
  }
  return real.TVMFFIFunctionCall(func, args, num_args, result);
}
