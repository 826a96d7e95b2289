// story: TVMFFIErrorCreate raises a MemoryError of its own where it is refused the memory for the backtrace.
// breaks: MEM-0001 fail
#include "fault.h"

int TVMFFIErrorCreate(const TVMFFIByteArray* kind, const TVMFFIByteArray* message, const TVMFFIByteArray* backtrace,
                      TVMFFIObjectHandle* out) {
  if (!backtrace || !backtrace->data) return real.TVMFFIErrorCreate(kind, message, backtrace, out);
  char* copy = malloc(backtrace->size + 1);
  if (!copy) return refuse("MemoryError", "no memory for the backtrace of an error");
  if (backtrace->size) memcpy(copy, backtrace->data, backtrace->size);
  const TVMFFIByteArray text = {copy, backtrace->size};
  int code = real.TVMFFIErrorCreate(kind, message, &text, out);
  free(copy);
  return code;
}
