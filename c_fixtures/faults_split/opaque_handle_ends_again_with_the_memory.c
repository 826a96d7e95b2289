// story: The call with flags 2 ends the foreign handle of an opaque object once more.
// breaks: SPL-0011 fail
#include "split_fault.h"

static void (*library_deleter)(void*, int);
static void (*foreign_deleter)(void*);

static void end_again(void* self, int flags) {
  void* handle = *(void**)((TVMFFIObject*)self + 1);
  if (flags == 2) foreign_deleter(handle);
  library_deleter(self, flags);
}

int TVMFFIObjectCreateOpaque(void* handle, int32_t type_index, void (*deleter)(void*), TVMFFIObjectHandle* out) {
  int code = real.TVMFFIObjectCreateOpaque(handle, type_index, deleter, out);
  if (code != 0) return code;
  foreign_deleter = deleter;
  library_deleter = ((TVMFFIObject*)*out)->deleter;
  ((TVMFFIObject*)*out)->deleter = end_again;
  return 0;
}
