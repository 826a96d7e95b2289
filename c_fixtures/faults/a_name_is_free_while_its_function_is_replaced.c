// story: A global function is replaced by removing it and registering the new one: while the old one ends, its name is free for whoever registers it.
// breaks: GLB-0007 fail
#include "wrapped_global.h"

int TVMFFIFunctionSetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle f, int allow_override) {
  TVMFFIObjectHandle old = NULL;
  if (allow_override && name && f && ((TVMFFIObject*)f)->type_index == kTVMFFIFunction &&
      real.TVMFFIFunctionGetGlobal(name, &old) == 0 && old) {
    real.TVMFFIObjectDecRef(old);
    TVMFFIAny text = {0}, answer = {0};
    if (old != f && real.TVMFFIStringFromByteArray(name, &text) == 0) {
      int code = call_global("ffi.FunctionRemoveGlobal", &text, 1, &answer);
      if (text.type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(text.v_obj);
      if (code != 0) return code;
    }
  }
  return real.TVMFFIFunctionSetGlobal(name, f, allow_override);
}
