// story: An attribute of ffi.String or ffi.Bytes is entered for the inline form, ffi.SmallStr or ffi.SmallBytes, as well.
// breaks: RFL-0025 fail
#include "fault.h"

int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* attr_name, const TVMFFIAny* attr_value) {
  int code = real.TVMFFITypeRegisterAttr(type_index, attr_name, attr_value);
  if (code != 0 || (type_index != kTVMFFIStr && type_index != kTVMFFIBytes)) return code;
  const int32_t small = type_index == kTVMFFIStr ? kTVMFFISmallStr : kTVMFFISmallBytes;
  const TVMFFITypeAttrColumn* column = real.TVMFFIGetTypeAttrColumn(attr_name);
  if (column->data[small - column->begin_index].type_index != kTVMFFINone) return 0;
  return real.TVMFFITypeRegisterAttr(small, attr_name, attr_value);
}
