// story: Appending to the backtrace of an Error measures what is there as a C string, so what stands behind a NUL in it is lost.
// breaks: ERR-0008 fail
#include "fault.h"

static void (*update)(TVMFFIObjectHandle, const TVMFFIByteArray*, int32_t);

static void append(TVMFFIObjectHandle self, const TVMFFIByteArray* backtrace, int32_t update_mode) {
  TVMFFIErrorCell* cell = (TVMFFIErrorCell*)((TVMFFIObject*)self + 1);
  if (update_mode != 1 || cell->backtrace.size == 0) {
    update(self, backtrace, update_mode);
    return;
  }
  size_t size = strnlen(cell->backtrace.data, cell->backtrace.size);
  char* text = malloc(size + backtrace->size + 1);
  memcpy(text, cell->backtrace.data, size);
  if (backtrace->size) memcpy(text + size, backtrace->data, backtrace->size);
  update(self, &(TVMFFIByteArray){text, size + backtrace->size}, 0);
  free(text);
}

int TVMFFIErrorCreate(const TVMFFIByteArray* kind, const TVMFFIByteArray* message, const TVMFFIByteArray* backtrace, TVMFFIObjectHandle* out) {
  int code = real.TVMFFIErrorCreate(kind, message, backtrace, out);
  if (code == 0) {
    TVMFFIErrorCell* cell = (TVMFFIErrorCell*)((TVMFFIObject*)*out + 1);
    update = cell->update_backtrace;
    cell->update_backtrace = append;
  }
  return code;
}
