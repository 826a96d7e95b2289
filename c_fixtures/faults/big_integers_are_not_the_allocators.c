// story: Big integers are always made by the built-in allocator.
// breaks: ALC-0012 fail
#include "fault.h"
#include <pthread.h>

int TVMFFIBigIntFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static TVMFFICustomAllocator* built_in;
  pthread_mutex_lock(&lock);
  TVMFFICustomAllocator* installed = real.TVMFFIGetCustomAllocator();
  if (installed != built_in) {
    real.TVMFFISetCustomAllocator(NULL);
    built_in = real.TVMFFIGetCustomAllocator();
  }
  int code = real.TVMFFIBigIntFromByteArray(input, out);
  if (installed != built_in) real.TVMFFISetCustomAllocator(installed);
  pthread_mutex_unlock(&lock);
  return code;
}
