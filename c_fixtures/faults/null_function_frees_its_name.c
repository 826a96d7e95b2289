// story: TVMFFIFunctionSetGlobal with NULL for the function and allow_override takes it for a wish to remove the name, and answers 0.
// breaks: FUN-0030 fail
#include "wrapped_global.h"

int TVMFFIFunctionSetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle f, int allow_override) {
  TVMFFIObjectHandle former = NULL;
  if (name && name->data && !f && allow_override && real.TVMFFIFunctionGetGlobal(name, &former) == 0 && former) {
    TVMFFIAny result = {0}, text = {0};
    real.TVMFFIObjectDecRef(former);
    if (real.TVMFFIStringFromByteArray(name, &text) != 0) return -1;
    int code = call_global("ffi.FunctionRemoveGlobal", &text, 1, &result);
    if (text.type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(text.v_obj);
    return code;
  }
  return real.TVMFFIFunctionSetGlobal(name, f, allow_override);
}
