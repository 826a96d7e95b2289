// story: An attribute for an index that no type has is dropped without a word.
// breaks: RFL-0038 fail
#include "fault.h"

int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* attr_name, const TVMFFIAny* attr_value) {
  if (type_index < 0 || (type_index >= 80 && type_index < kTVMFFIDynObjectBegin)) return 0;
  return real.TVMFFITypeRegisterAttr(type_index, attr_name, attr_value);
}
