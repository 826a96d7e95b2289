// story: The function that answers metadata is registered under another name.
// breaks: GLB-0023 fail
#include "fault.h"

int TVMFFIFunctionGetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle* out) {
  int code = real.TVMFFIFunctionGetGlobal(name, out);
  if (code == 0 && *out && name->size == 25 && memcmp(name->data, "ffi.GetGlobalFuncMetadata", 25) == 0) {
    real.TVMFFIObjectDecRef(*out);
    *out = NULL;
  }
  return code;
}
