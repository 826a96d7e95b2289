// story: A field's default is stored without a reference of its own.
// breaks: RFL-0005 fail
#include "fault.h"

int TVMFFITypeRegisterField(int32_t type_index, const TVMFFIFieldInfo* info) {
  int code = real.TVMFFITypeRegisterField(type_index, info);
  if (code == 0 && info->flags & kTVMFFIFieldFlagBitMaskHasDefault &&
      info->default_value_or_factory.type_index >= kTVMFFIStaticObjectBegin) {
    real.TVMFFIObjectDecRef(info->default_value_or_factory.v_obj);
  }
  return code;
}
