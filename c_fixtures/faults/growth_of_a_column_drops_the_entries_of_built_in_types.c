// story: A column that grows beyond 512 entries is copied from the first type that is numbered at run time on.
// breaks: RFL-0023 fail
#include "fault.h"

int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* attr_name, const TVMFFIAny* attr_value) {
  const TVMFFITypeAttrColumn* column = attr_name && attr_value ? real.TVMFFIGetTypeAttrColumn(attr_name) : NULL;
  const int32_t before = column ? column->size : 512;
  const int code = real.TVMFFITypeRegisterAttr(type_index, attr_name, attr_value);
  if (code == 0 && before < 512 && column->size > 512) memset((TVMFFIAny*)column->data, 0, kTVMFFIDynObjectBegin * sizeof(TVMFFIAny));
  return code;
}

