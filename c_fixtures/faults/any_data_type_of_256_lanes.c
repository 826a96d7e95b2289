// story: The lanes of a data type are kept in one byte when it becomes an owned value.
// breaks: ANY-0006 fail
#include "fault.h"

int TVMFFIAnyViewToOwnedAny(const TVMFFIAny* any_view, TVMFFIAny* out) {
  int code = real.TVMFFIAnyViewToOwnedAny(any_view, out);
  if (code == 0 && out->type_index == kTVMFFIDataType) out->v_dtype.lanes &= 0xff;
  return code;
}
