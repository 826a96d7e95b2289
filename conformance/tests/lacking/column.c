// story: The column of what makes objects is not there.
#include "fault.h"

const TVMFFITypeAttrColumn* TVMFFIGetTypeAttrColumn(const TVMFFIByteArray* name) {
  if (name != NULL && name->data != NULL && name->size == 11 && memcmp(name->data, "__ffi_new__", 11) == 0) return NULL;
  return real.TVMFFIGetTypeAttrColumn(name);
}
