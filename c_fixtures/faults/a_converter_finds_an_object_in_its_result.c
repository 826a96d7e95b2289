// story: The setter that ffi.MakeFieldSetter makes has the converter write over what the field held last: it finds a type index of an object there.
// breaks: FUN-0025 fail
#include "converted_field.h"
static int convert(const struct converter* told, const TVMFFIAny* value, TVMFFIAny* result) {
  result->type_index = kTVMFFIError;
  return told->convert(told->state, value, result);
}
CONVERTED_BY(convert)
