// story: The owned value is made before the place in the column is looked at: the String made of a C string is lost when that is taken.
// breaks: RFL-0035 leak
#include "fault.h"

int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* name, const TVMFFIAny* value) {
  int code = real.TVMFFITypeRegisterAttr(type_index, name, value);
  if (code != 0 && value && value->type_index == kTVMFFIRawStr && value->v_c_str) lose(41 + strlen(value->v_c_str));
  return code;
}
