// story: A type attribute that is given as a long C string is kept as a String that points to the caller's characters.
// breaks: RFL-0006 fail
#include "fault.h"

int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* attr_name, const TVMFFIAny* attr_value) {
  int code = real.TVMFFITypeRegisterAttr(type_index, attr_name, attr_value);
  if (code != 0 || type_index == 0 || attr_value->type_index != kTVMFFIRawStr) return code;
  const TVMFFIAny* entry = &real.TVMFFIGetTypeAttrColumn(attr_name)->data[type_index];
  if (entry->type_index == kTVMFFIStr && strlen(attr_value->v_c_str) > 15)
    ((TVMFFIByteArray*)(entry->v_obj + 1))->data = attr_value->v_c_str;
  return 0;
}
