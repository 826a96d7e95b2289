// story: Appending to a backtrace gives the old buffer up before it reads what is appended, which may be that buffer.
// breaks: ERR-0008 fail
#include "updated_backtrace.h"

static void append_late(TVMFFIObjectHandle self, const TVMFFIByteArray* backtrace, int32_t mode) {
  if (mode != kTVMFFIBacktraceUpdateModeAppend) {
    update(self, backtrace, mode);
    return;
  }
  TVMFFIByteArray* own = &error_cell(self)->backtrace;
  size_t old = own->size, size = own->size + backtrace->size;
  char* joined = malloc(size + 1);
  memcpy(joined, own->data, old);
  /* As an allocator does with memory that it gets back. */
  memset((char*)own->data, '#', old);
  memcpy(joined + old, backtrace->data, backtrace->size);
  TVMFFIByteArray whole = {joined, size};
  update(self, &whole, kTVMFFIBacktraceUpdateModeReplace);
  free(joined);
}

UPDATED_BACKTRACES(append_late)
