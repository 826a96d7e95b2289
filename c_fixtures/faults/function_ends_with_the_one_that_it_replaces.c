// story: TVMFFIFunctionSetGlobal gives the function under the name up before it takes its reference to the one that replaces it.
// breaks: GLB-0007 fail
// chance: Freed memory is used where nobody else holds the new function.
#include "wrapped_global.h"

int TVMFFIFunctionSetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle f, int allow_override) {
  TVMFFIObjectHandle former = NULL;
  if (name && f && ((TVMFFIObject*)f)->type_index == kTVMFFIFunction && allow_override &&
      real.TVMFFIFunctionGetGlobal(name, &former) == 0 && former) {
    real.TVMFFIObjectDecRef(former);
    if (former != f) {
      TVMFFIAny removed = {0}, text = {0};
      if (real.TVMFFIStringFromByteArray(name, &text) != 0) return -1;
      call_global("ffi.FunctionRemoveGlobal", &text, 1, &removed);
      if (text.type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(text.v_obj);
    }
  }
  return real.TVMFFIFunctionSetGlobal(name, f, allow_override);
}
