// story: The conversion of a data type writes its four bytes alone, so the rest of the payload is what a None had there.
// breaks: ANY-0021 fail
#include "fault.h"
int TVMFFIAnyViewToOwnedAny(const TVMFFIAny* any_view, TVMFFIAny* out) {
  if (any_view && out && any_view != out && any_view->type_index == kTVMFFIDataType) {
    out->type_index = kTVMFFIDataType;
    out->zero_padding = 0;
    out->v_dtype = any_view->v_dtype;
    return 0;
  }
  return real.TVMFFIAnyViewToOwnedAny(any_view, out);
}
