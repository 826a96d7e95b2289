// story: TVMFFIErrorSetRaisedFromCStr gathers the error in a buffer of 64K on the stack, which a thread with a small one does not have.
// breaks: ERR-0036 crash
#include "fault.h"
void TVMFFIErrorSetRaisedFromCStr(const char* kind, const char* message) {
  char gathered[1 << 16];
  const size_t length = message ? strlen(message) : 0;
  /* Filled from the end, as a text that is put together backwards is. */
  if (message && length < sizeof(gathered)) message = memcpy(gathered, message, length + 1);
  __asm__ volatile("" : : "r"(gathered) : "memory");
  real.TVMFFIErrorSetRaisedFromCStr(kind, message);
}
