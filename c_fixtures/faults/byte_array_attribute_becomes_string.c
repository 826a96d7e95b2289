// story: An attribute that is given as a byte array is stored as a String.
// breaks: RFL-0006 fail
#include "fault.h"
int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* name, const TVMFFIAny* value) {
  if (!value || value->type_index != kTVMFFIByteArrayPtr) return real.TVMFFITypeRegisterAttr(type_index, name, value);
  TVMFFIAny text = {0};
  int code = real.TVMFFIStringFromByteArray(value->v_ptr, &text);
  if (code != 0) return code;
  code = real.TVMFFITypeRegisterAttr(type_index, name, &text);
  if (text.type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(text.v_obj);
  return code;
}
