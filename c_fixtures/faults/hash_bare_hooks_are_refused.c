// story: A library without ffi.ListReserve, of a former release, refuses hooks that are C functions.
// breaks: HSH-0014 fail
#include "fault.h"

static int is(const TVMFFIByteArray* name, const char* other) {
  return name && name->size == strlen(other) && memcmp(name->data, other, name->size) == 0;
}

int TVMFFIFunctionGetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle* out) {
  if (!is(name, "ffi.ListReserve")) return real.TVMFFIFunctionGetGlobal(name, out);
  *out = NULL;
  return 0;
}

int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* attr_name, const TVMFFIAny* attr_value) {
  if ((is(attr_name, "__any_hash__") || is(attr_name, "__any_equal__")) && attr_value->type_index == kTVMFFIOpaquePtr) {
    real.TVMFFIErrorSetRaisedFromCStr("TypeError", "Expected a function");
    return -1;
  }
  return real.TVMFFITypeRegisterAttr(type_index, attr_name, attr_value);
}
