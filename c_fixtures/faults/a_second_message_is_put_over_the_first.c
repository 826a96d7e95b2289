// story: tvm::ffi::json::Parse writes its message over what was in the room for it without giving that up: a message of an earlier failure is lost.
// breaks: CXX-0008 fail
#include "fault.h"
__attribute__((visibility("default"))) void* _ZN3tvm3ffi4json5ParseERKNS0_6StringEPS2_(TVMFFIAny* out, const TVMFFIAny* text, TVMFFIAny* message) {
  void* (*parse)(TVMFFIAny*, const TVMFFIAny*, TVMFFIAny*) = real_cxx("_ZN3tvm3ffi4json5ParseERKNS0_6StringEPS2_");
  TVMFFIObject* old = message && message->type_index >= kTVMFFIStaticObjectBegin ? message->v_obj : NULL;
  if (old) real.TVMFFIObjectIncRef(old);
  void* answer = parse(out, text, message);
  if (old && message->v_obj == old) real.TVMFFIObjectDecRef(old);
  return answer;
}
