// story: Appending to a backtrace gives the old buffer up before it reads what is appended, which may be that buffer.
// breaks: ERR-0008 fail
#include "fault.h"

static void (*update)(TVMFFIObjectHandle self, const TVMFFIByteArray* backtrace, int32_t mode);

static void append_late(TVMFFIObjectHandle self, const TVMFFIByteArray* backtrace, int32_t mode) {
  if (mode != kTVMFFIBacktraceUpdateModeAppend) {
    update(self, backtrace, mode);
    return;
  }
  TVMFFIByteArray* own = &((TVMFFIErrorCell*)((char*)self + sizeof(TVMFFIObject)))->backtrace;
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

int TVMFFIErrorCreate(const TVMFFIByteArray* kind, const TVMFFIByteArray* message, const TVMFFIByteArray* backtrace,
                      TVMFFIObjectHandle* out) {
  int code = real.TVMFFIErrorCreate(kind, message, backtrace, out);
  if (code != 0) return code;
  TVMFFIErrorCell* cell = (TVMFFIErrorCell*)((char*)*out + sizeof(TVMFFIObject));
  update = cell->update_backtrace;
  cell->update_backtrace = append_late;
  return 0;
}
