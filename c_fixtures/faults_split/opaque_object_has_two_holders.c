// story: A new opaque object has two strong references, of which the caller knows one.
// breaks: SPL-0004 fail
// breaks: SPL-0011 fail
// breaks: SPL-0033 fail
#include "split_fault.h"

int TVMFFIObjectCreateOpaque(void* handle, int32_t type_index, void (*deleter)(void*), TVMFFIObjectHandle* out) {
  int code = real.TVMFFIObjectCreateOpaque(handle, type_index, deleter, out);
  return code == 0 ? real.TVMFFIObjectIncRef(*out) : code;
}
