// story: When an attribute column outgrows 256 entries, only those from the first dynamic type index on are carried over, so built-in types lose what they had.
// breaks: RFL-0022 fail
// breaks: RFL-0023 fail
#include "fault.h"
int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* attr_name, const TVMFFIAny* attr_value) {
  const TVMFFITypeAttrColumn* column = attr_name ? real.TVMFFIGetTypeAttrColumn(attr_name) : NULL;
  const int32_t before = column ? column->size : 0;
  int code = real.TVMFFITypeRegisterAttr(type_index, attr_name, attr_value);
  if (code != 0 || !column || before > 256 || column->size <= 256) return code;
  memset((TVMFFIAny*)column->data, 0, kTVMFFIDynObjectBegin * sizeof(TVMFFIAny));
  return 0;
}
