// story: Whatever name is looked up, the function that makes an Array is found.
#include "fault.h"

int TVMFFIFunctionGetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle* out) {
  (void)name;
  const TVMFFIByteArray array = {"ffi.Array", 9};
  return real.TVMFFIFunctionGetGlobal(&array, out);
}
