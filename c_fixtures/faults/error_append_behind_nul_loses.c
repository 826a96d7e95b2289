// story: Appending to the backtrace of an Error measures what is there as a C string, so what stands behind a NUL in it is lost.
// breaks: ERR-0008 fail
#include "updated_backtrace.h"

static void append(TVMFFIObjectHandle self, const TVMFFIByteArray* backtrace, int32_t update_mode) {
  TVMFFIErrorCell* cell = error_cell(self);
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

UPDATED_BACKTRACES(append)
