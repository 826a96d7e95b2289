// story: TVMFFIObjectCreateOpaque calls the deleter of the handle when it refuses the type index.
// breaks: OBJ-0027 fail
#include "fault.h"

int TVMFFIObjectCreateOpaque(void* handle, int32_t type_index, void (*deleter)(void* handle), TVMFFIObjectHandle* out) {
  int code = real.TVMFFIObjectCreateOpaque(handle, type_index, deleter, out);
  if (code != 0 && out && deleter && type_index != kTVMFFIOpaquePyObject) deleter(handle);
  return code;
}
