// story: When the column __ffi_type_final__ grows past 256 entries, those of the types with a fixed index are copied, and those of the library's other types are lost.
// breaks: RFL-0023 fail
#include "fault.h"

int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* attr_name, const TVMFFIAny* attr_value) {
  const TVMFFITypeAttrColumn* column = is(attr_name, "__ffi_type_final__") ? real.TVMFFIGetTypeAttrColumn(attr_name) : NULL;
  const int32_t before = column ? __atomic_load_n(&column->size, __ATOMIC_ACQUIRE) : 0;
  int code = real.TVMFFITypeRegisterAttr(type_index, attr_name, attr_value);
  if (column && before <= 256 && column->size > 256) {
    for (int32_t i = 128; i < before && i < 138; ++i) ((TVMFFIAny*)column->data)[i] = (TVMFFIAny){0};
  }
  return code;
}
