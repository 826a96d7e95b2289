// story: The header of an opaque object says that it is a plain ffi.Object.
// breaks: OBJ-0024 fail
// breaks: OBJ-0002 fail
#include "fault.h"

int TVMFFIObjectCreateOpaque(void* handle, int32_t type_index, void (*deleter)(void* handle), TVMFFIObjectHandle* out) {
  int code = real.TVMFFIObjectCreateOpaque(handle, type_index, deleter, out);
  if (code == 0) ((TVMFFIObject*)*out)->type_index = kTVMFFIObject;
  return code;
}
