// story: A container that one thread is reading is refused to every other thread.
// breaks: ARR-0021 fail
// breaks: LST-0034 fail
// breaks: MAP-0031 fail
// chance: Threads meet while they read.
#include "wrapped_global.h"

#include <unistd.h>

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  static char is_read;
  if (__atomic_exchange_n(&is_read, 1, __ATOMIC_ACQUIRE)) {
    real.TVMFFIErrorSetRaisedFromCStr("RuntimeError", "another thread is reading");
    return -1;
  }
  usleep(10);
  int code = call_original(original, args, num_args, result);
  __atomic_store_n(&is_read, 0, __ATOMIC_RELEASE);
  return code;
}

WRAPPED_GLOBALS(callee, "ffi.ArrayGetItem", "ffi.ListGetItem", "ffi.MapGetItem")
