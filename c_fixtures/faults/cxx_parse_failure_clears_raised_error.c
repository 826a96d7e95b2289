// story: The C++ function json::Parse with room for a message takes the error that it finds raised, and with it one that its caller had raised before.
// breaks: CXX-0022 fail
#include "fault.h"
typedef void* parse(TVMFFIAny* out, const TVMFFIAny* text, TVMFFIAny* message);
__attribute__((visibility("default"))) void* _ZN3tvm3ffi4json5ParseERKNS0_6StringEPS2_(TVMFFIAny* out, const TVMFFIAny* text, TVMFFIAny* message) {
  void* answer = ((parse*)real_cxx("_ZN3tvm3ffi4json5ParseERKNS0_6StringEPS2_"))(out, text, message);
  if (message && text_of(message).size) {
    TVMFFIObjectHandle error = NULL;
    real.TVMFFIErrorMoveFromRaised(&error);
    if (error) real.TVMFFIObjectDecRef(error);
  }
  return answer;
}
