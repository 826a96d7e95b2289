// story: A library without ffi.ListReserve, of a former release, refuses hooks that are C functions.
// breaks: HSH-0014 fail
#include "wrapped_global.h"

MISSING_GLOBALS("ffi.ListReserve")

int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* attr_name, const TVMFFIAny* attr_value) {
  if ((is(attr_name, "__any_hash__") || is(attr_name, "__any_equal__")) && attr_value->type_index == kTVMFFIOpaquePtr) {
    return refuse("TypeError", "Expected a function");
  }
  return real.TVMFFITypeRegisterAttr(type_index, attr_name, attr_value);
}
