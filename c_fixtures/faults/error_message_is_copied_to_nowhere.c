// story: TVMFFIErrorSetRaisedFromCStr copies the message to memory that it may not have got.
// breaks: MEM-0006 crash
#include "fault.h"

void TVMFFIErrorSetRaisedFromCStr(const char* kind, const char* message) {
  if (!message) {
    real.TVMFFIErrorSetRaisedFromCStr(kind, message);
    return;
  }
  const size_t size = strlen(message);
  char* copy = malloc(size + 1);
  memcpy(copy, message, size);
  *(volatile char*)(copy + size) = 0;
  real.TVMFFIErrorSetRaisedFromCStr(kind, copy);
  free(copy);
}
