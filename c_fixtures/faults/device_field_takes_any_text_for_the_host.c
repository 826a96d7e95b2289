// story: A setter of ffi.MakeFieldSetter for a device takes a text for the CPU, whatever device it names.
// breaks: DCL-0021 fail
#include "converted_field.h"

static int convert(const struct converter* told, const TVMFFIAny* value, TVMFFIAny* result) {
  int code = told->convert(told->state, value, result);
  if (code != 0 || (result->type_index != kTVMFFIStr && result->type_index != kTVMFFISmallStr)) return code;
  const TVMFFIByteArray text = text_of(result);
  if (text.size < 3 || memcmp(text.data, "cud", 3) != 0) return 0;
  if (result->type_index == kTVMFFIStr) real.TVMFFIObjectDecRef(result->v_obj);
  *result = (TVMFFIAny){.type_index = kTVMFFIDevice, .v_device = {kDLCPU, 0}};
  return 0;
}

CONVERTED_BY(convert)
