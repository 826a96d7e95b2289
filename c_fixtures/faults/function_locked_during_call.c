// story: A function is locked while it is called, and waits for itself when it is called again.
// breaks: FUN-0019 timeout
#include "fault.h"

#include <unistd.h>

enum { AT_ONCE = 1024 };
static TVMFFIObjectHandle locked[AT_ONCE];
static char guard;

static TVMFFIObjectHandle* place_of(TVMFFIObjectHandle function) {
  for (int i = 0; i < AT_ONCE; ++i) {
    if (locked[i] == function) return &locked[i];
  }
  return NULL;
}

/* Locks the function, or answers 0 when it is locked. */
static int try_lock(TVMFFIObjectHandle function) {
  while (__atomic_test_and_set(&guard, __ATOMIC_ACQUIRE)) usleep(10);
  int is_free = !place_of(function);
  if (is_free) *place_of(NULL) = function;
  __atomic_clear(&guard, __ATOMIC_RELEASE);
  return is_free;
}

static void unlock(TVMFFIObjectHandle function) {
  while (__atomic_test_and_set(&guard, __ATOMIC_ACQUIRE)) usleep(10);
  *place_of(function) = NULL;
  __atomic_clear(&guard, __ATOMIC_RELEASE);
}

int TVMFFIFunctionCall(TVMFFIObjectHandle function, TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (!function) return real.TVMFFIFunctionCall(function, args, num_args, result);
  /* Asleep: it waits for ever, and others have work to do. */
  while (!try_lock(function)) usleep(1000);
  int status = real.TVMFFIFunctionCall(function, args, num_args, result);
  unlock(function);
  return status;
}
