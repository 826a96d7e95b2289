// story: An attribute is retained before it is known whether there is room for it, and not let go when there is not.
// breaks: RFL-0035 leak
#include "fault.h"

int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* attr_name, const TVMFFIAny* attr_value) {
  int code = real.TVMFFITypeRegisterAttr(type_index, attr_name, attr_value);
  if (code != 0 && attr_value && attr_value->type_index >= kTVMFFIStaticObjectBegin) {
    real.TVMFFIObjectIncRef(attr_value->v_obj);
  }
  return code;
}
