// story: When a client adds its type to the column __data_to_json__, the column is built anew and the entry of ffi.BigInt is lost.
// breaks: RFL-0023 fail
#include "fault.h"
int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* attr_name, const TVMFFIAny* attr_value) {
  int code = real.TVMFFITypeRegisterAttr(type_index, attr_name, attr_value);
  if (code != 0 || type_index < kTVMFFIDynObjectBegin || !is(attr_name, "__data_to_json__")) return code;
  const TVMFFITypeAttrColumn* column = real.TVMFFIGetTypeAttrColumn(attr_name);
  TVMFFIAny* entry = (TVMFFIAny*)&column->data[kTVMFFIBigInt];
  entry->v_obj = NULL;
  entry->type_index = kTVMFFINone;
  return 0;
}
