// story: A function is locked while it is called, and waits for itself when it is called again.
// breaks: FUN-0019 timeout
#include "fault.h"

#include <sched.h>

enum { LOCKS = 1024 };
static char locks[LOCKS];

int TVMFFIFunctionCall(TVMFFIObjectHandle function, TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  char* lock = &locks[(uintptr_t)function / 16 % LOCKS];
  while (__atomic_test_and_set(lock, __ATOMIC_ACQUIRE)) sched_yield();
  int status = real.TVMFFIFunctionCall(function, args, num_args, result);
  __atomic_clear(lock, __ATOMIC_RELEASE);
  return status;
}
