// story: An owned value made of small bytes says that it is a small string.
// breaks: STR-0021 fail
#include "fault.h"

int TVMFFIAnyViewToOwnedAny(const TVMFFIAny* any_view, TVMFFIAny* out) {
  int code = real.TVMFFIAnyViewToOwnedAny(any_view, out);
  if (code == 0 && any_view->type_index == kTVMFFISmallBytes && out->small_str_len == 1) out->type_index = kTVMFFISmallStr;
  return code;
}
