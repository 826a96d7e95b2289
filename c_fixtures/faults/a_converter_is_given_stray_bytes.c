// story: The value that a setter of ffi.MakeFieldSetter hands to the converter is put together on the stack, where what lies in its second word stays.
// breaks: ANY-0029 fail
#include "converted_field.h"
static int convert(const struct converter* told, const TVMFFIAny* value, TVMFFIAny* result) {
  TVMFFIAny given = *value;
  if (given.type_index == kTVMFFIFloat) given.zero_padding = 0x5a5a;
  return told->convert(told->state, &given, result);
}
CONVERTED_BY(convert)
