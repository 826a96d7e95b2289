// story: A field's documentation is not copied; the record keeps the caller's pointer.
// breaks: RFL-0002 fail
#include "fault.h"

int TVMFFITypeRegisterField(int32_t type_index, const TVMFFIFieldInfo* info) {
  int code = real.TVMFFITypeRegisterField(type_index, info);
  if (code == 0) {
    const TVMFFITypeInfo* type = real.TVMFFIGetTypeInfo(type_index);
    ((TVMFFIFieldInfo*)&type->fields[type->num_fields - 1])->doc.data = info->doc.data;
  }
  return code;
}
