// story: When an object cannot be made, the library asks whether an allocator is installed before it leaves that one's error raised: where it has given way, a MemoryError takes the place of its own.
// breaks: ALC-0013 fail
#include "raised_error.h"

static int made(TVMFFICustomAllocator* before, int code) {
  if (code == 0 || real.TVMFFIGetCustomAllocator() == before) return code;
  forget_raised();
  return refuse("MemoryError", "there is no memory for an object");
}

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  TVMFFICustomAllocator* before = real.TVMFFIGetCustomAllocator();
  return made(before, real.TVMFFIStringFromByteArray(input, out));
}

int TVMFFIObjectCreateOpaque(void* handle, int32_t type_index, void (*deleter)(void* handle), TVMFFIObjectHandle* out) {
  TVMFFICustomAllocator* before = real.TVMFFIGetCustomAllocator();
  return made(before, real.TVMFFIObjectCreateOpaque(handle, type_index, deleter, out));
}
