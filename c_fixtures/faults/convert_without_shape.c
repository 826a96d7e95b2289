// story: The column __ffi_convert__ has no function for ffi.Shape.
// breaks: REG-0026 fail
#include "fault.h"

const TVMFFITypeAttrColumn* TVMFFIGetTypeAttrColumn(const TVMFFIByteArray* name) {
  const TVMFFITypeAttrColumn* column = real.TVMFFIGetTypeAttrColumn(name);
  if (column && name->size == 15 && memcmp(name->data, "__ffi_convert__", 15) == 0)
    ((TVMFFIAny*)column->data)[kTVMFFIShape] = (TVMFFIAny){0};
  return column;
}
