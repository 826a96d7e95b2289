// story: Making a string starts threads that never end, and never returns.
#include <pthread.h>

#include "fault.h"

static void* busy(void* nothing) {
  for (;;) __asm__ volatile("");
  return nothing;
}

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  (void)input, (void)out;
  pthread_t thread;
  for (int n = 0; n < 8; ++n) pthread_create(&thread, NULL, busy, NULL);
  busy(NULL);
  return 0;
}
