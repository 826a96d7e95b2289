// story: TVMFFIFunctionSetGlobalFromMethodInfo that may override takes out what is under the name before it looks at the method: where that is no function, the call is refused and the former function is gone.
// breaks: GLB-0001 fail
#include "wrapped_global.h"

int TVMFFIFunctionSetGlobalFromMethodInfo(const TVMFFIMethodInfo* info, int allow_override) {
  if (allow_override && info && info->name.data && info->method.type_index != kTVMFFIFunction) {
    const TVMFFIAny name = {.type_index = kTVMFFIByteArrayPtr, .v_ptr = (void*)&info->name};
    TVMFFIAny text = {0}, result = {0};
    if (real.TVMFFIStringFromByteArray(name.v_ptr, &text) == 0) {
      call_global("ffi.FunctionRemoveGlobal", &text, 1, &result);
      if (text.type_index == kTVMFFIStr) real.TVMFFIObjectDecRef(text.v_obj);
    }
  }
  return real.TVMFFIFunctionSetGlobalFromMethodInfo(info, allow_override);
}
