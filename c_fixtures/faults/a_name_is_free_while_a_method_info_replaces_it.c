// story: TVMFFIFunctionSetGlobalFromMethodInfo removes the former function of a name before it registers the new one: what the end of the former asks for is not there.
// breaks: GLB-0007 fail
#include "wrapped_global.h"

int TVMFFIFunctionSetGlobalFromMethodInfo(const TVMFFIMethodInfo* info, int allow_override) {
  TVMFFIObjectHandle old = NULL;
  if (allow_override && info && info->method.type_index == kTVMFFIFunction &&
      real.TVMFFIFunctionGetGlobal(&info->name, &old) == 0 && old) {
    real.TVMFFIObjectDecRef(old);
    TVMFFIAny text = {0}, answer = {0};
    if ((void*)info->method.v_obj != old && real.TVMFFIStringFromByteArray(&info->name, &text) == 0) {
      int code = call_global("ffi.FunctionRemoveGlobal", &text, 1, &answer);
      if (text.type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(text.v_obj);
      if (code != 0) return code;
    }
  }
  return real.TVMFFIFunctionSetGlobalFromMethodInfo(info, allow_override);
}
