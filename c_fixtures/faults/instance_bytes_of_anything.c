// story: The converter of bytes takes integers for bytes.
// breaks: INS-0015 fail
#include "fault.h"

static TVMFFIObjectHandle convert;

static int convert_more(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  (void)self;
  TVMFFIByteArray bytes = {(const char*)&args[0].v_int64, sizeof(int64_t)};
  if (num_args == 1 && args[0].type_index == kTVMFFIInt) return real.TVMFFIBytesFromByteArray(&bytes, result);
  return real.TVMFFIFunctionCall(convert, (TVMFFIAny*)args, num_args, result);
}

const TVMFFITypeAttrColumn* TVMFFIGetTypeAttrColumn(const TVMFFIByteArray* attr_name) {
  static TVMFFITypeAttrColumn column;
  static TVMFFIAny entries[1 << 12];
  static TVMFFIObjectHandle generous;
  const TVMFFITypeAttrColumn* known = real.TVMFFIGetTypeAttrColumn(attr_name);
  if (known == NULL || attr_name->size != 15 || memcmp(attr_name->data, "__ffi_convert__", 15) != 0) return known;
  if (generous == NULL) real.TVMFFIFunctionCreate(NULL, convert_more, NULL, &generous);
  column = *known;
  memcpy(entries, known->data, (size_t)known->size * sizeof(TVMFFIAny));
  TVMFFIAny* bytes = &entries[kTVMFFIBytes - known->begin_index];
  convert = bytes->v_obj;
  bytes->v_obj = (TVMFFIObject*)generous;
  column.data = entries;
  return &column;
}
