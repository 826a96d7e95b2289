// story: On a stack that is not the one which the system gave the thread, as coroutines have, a backtrace leaves out the given place.
// breaks: BTR-0002 fail
#define _GNU_SOURCE /* pthread_getattr_np */
#include "fault.h"

#include <pthread.h>

/** Whether this runs on the stack of the thread; what cannot be told counts as that. */
static int is_on_own_stack(void) {
  pthread_attr_t attributes;
  void* lowest = NULL;
  size_t size = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return 1;
  int told = pthread_attr_getstack(&attributes, &lowest, &size) == 0;
  pthread_attr_destroy(&attributes);
  return !told || (uintptr_t)&attributes - (uintptr_t)lowest < size;
}

const TVMFFIByteArray* TVMFFIBacktrace(const char* filename, int lineno, const char* func, int cross_ffi_boundary) {
  if (!is_on_own_stack()) filename = func = NULL;
  return real.TVMFFIBacktrace(filename, lineno, func, cross_ffi_boundary);
}
