// story: A lookup answers the function without a reference for the caller.
// breaks: GLB-0002 fail
// chance: Freed memory is used.
#include "fault.h"

int TVMFFIFunctionGetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle* out) {
  int code = real.TVMFFIFunctionGetGlobal(name, out);
  int own = name && name->size > 4 && memcmp(name->data, "ffi.", 4) == 0;
  if (code == 0 && *out && !own && (uint32_t)((TVMFFIObject*)*out)->combined_ref_count > 2) {
    real.TVMFFIObjectDecRef(*out);
  }
  return code;
}
