// story: Making a string makes memory with a name, which stays; opening the library makes some, which has to.
#include <sys/mman.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fault.h"

static void make(const char* of, int flags) {
  char name[256];
  snprintf(name, sizeof name, "/tvm-ffi-verify-test-%s", of);
  int memory = shm_open(name, O_RDWR | O_CREAT | flags, 0600);
  if (memory < 0 || ftruncate(memory, 4096) != 0) abort();
  close(memory);
}

__attribute__((constructor(200))) static void open_it(void) {
  make("opening", 0);
}

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  (void)input, (void)out;
  static _Atomic int done;
  if (!done++) {
    if (shm_open("/tvm-ffi-verify-test-opening", O_RDWR, 0) < 0) abort();
    make("string", O_EXCL);
  }
  return real.TVMFFIStringFromByteArray(input, out);
}
