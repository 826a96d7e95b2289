// story: TVMFFIObjectCreateOpaque calls the deleter with the handle when the installed allocator fails, though no object has taken it.
// breaks: ALC-0014 fail
#include "fault.h"
int TVMFFIObjectCreateOpaque(void* handle, int32_t type_index, void (*deleter)(void* handle), TVMFFIObjectHandle* out) {
  int code = real.TVMFFIObjectCreateOpaque(handle, type_index, deleter, out);
  if (code != 0 && type_index == kTVMFFIOpaquePyObject && out && deleter) deleter(handle);
  return code;
}
