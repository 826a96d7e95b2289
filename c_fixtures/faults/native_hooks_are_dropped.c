// story: Hooks that are no function objects are dropped when they are registered.
// breaks: HSH-0013 fail
#include "fault.h"

int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* attr_name, const TVMFFIAny* attr_value) {
  static const char prefix[] = "__any_";
  if (attr_value && attr_value->type_index == kTVMFFIOpaquePtr && attr_name && attr_name->size > 6 &&
      memcmp(attr_name->data, prefix, 6) == 0) {
    return 0;
  }
  return real.TVMFFITypeRegisterAttr(type_index, attr_name, attr_value);
}
