// story: TVMFFITypeRegisterAttr takes its reference to the value before it looks whether the type has the attribute, and keeps it when it refuses.
// breaks: RFL-0035 leak
#include "fault.h"

int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* attr_name, const TVMFFIAny* attr_value) {
  int code = real.TVMFFITypeRegisterAttr(type_index, attr_name, attr_value);
  if (code != 0 && attr_value && attr_value->type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectIncRef(attr_value->v_obj);
  return code;
}
