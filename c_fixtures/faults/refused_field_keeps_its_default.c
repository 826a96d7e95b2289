// story: A field that is refused because its name is taken has taken a reference to its default, which is not given up.
// breaks: RFL-0035 leak
#include "fault.h"

int TVMFFITypeRegisterField(int32_t type_index, const TVMFFIFieldInfo* info) {
  int code = real.TVMFFITypeRegisterField(type_index, info);
  if (code != 0 && info && (info->flags & kTVMFFIFieldFlagBitMaskHasDefault) &&
      info->default_value_or_factory.type_index >= kTVMFFIStaticObjectBegin) {
    real.TVMFFIObjectIncRef(info->default_value_or_factory.v_obj);
  }
  return code;
}
