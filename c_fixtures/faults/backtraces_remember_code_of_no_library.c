// story: What a backtrace finds at an address is remembered for good, also where the code is of no library and soon another one's.
// breaks: BTR-0012 leak
#define _GNU_SOURCE
#include <dlfcn.h>
#include <execinfo.h>
#include <pthread.h>
#include "fault.h"

struct place {
  void* address;
  struct place* next;
};

const TVMFFIByteArray* TVMFFIBacktrace(const char* filename, int lineno, const char* func, int cross_ffi_boundary) {
  static struct place* places[1 << 12];
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  void* addresses[16];
  int number = backtrace(addresses, 16);
  pthread_mutex_lock(&lock);
  for (int i = 0; i < number; i++) {
    Dl_info info;
    if (dladdr(addresses[i], &info)) continue;
    struct place **bucket = &places[(uintptr_t)addresses[i] / 32 % (1 << 12)], *known = *bucket;
    while (known && known->address != addresses[i]) known = known->next;
    if (known || !(known = malloc(sizeof(*known)))) continue;
    *known = (struct place){addresses[i], *bucket};
    *bucket = known;
  }
  pthread_mutex_unlock(&lock);
  return real.TVMFFIBacktrace(filename, lineno, func, cross_ffi_boundary);
}
