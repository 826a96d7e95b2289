// story: A default factory is called once when its field is registered, to see that it works.
// breaks: DCL-0005 fail
#include "fault.h"
int TVMFFITypeRegisterField(int32_t type_index, const TVMFFIFieldInfo* info) {
  int code = real.TVMFFITypeRegisterField(type_index, info);
  if (code == 0 && (info->flags & kTVMFFIFieldFlagBitMaskDefaultFromFactory) && info->default_value_or_factory.type_index == kTVMFFIFunction) {
    TVMFFIAny made = {0};
    if (real.TVMFFIFunctionCall(info->default_value_or_factory.v_obj, NULL, 0, &made) == 0) {
      if (made.type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(made.v_obj);
    } else {
      TVMFFIObjectHandle error = NULL;
      real.TVMFFIErrorMoveFromRaised(&error);
      if (error) real.TVMFFIObjectDecRef(error);
    }
  }
  return code;
}
