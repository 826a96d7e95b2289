// story: A call with more than four arguments copies them to one block that all threads share; only calls within a call have another.
// breaks: FUN-0020 fail
// chance: Which arguments of two threads are mixed is not the same in each run.
#include "fault.h"
#include <sched.h>

static TVMFFIAny block[16];
static _Thread_local int depth;

int TVMFFIFunctionCall(TVMFFIObjectHandle func, TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args <= 4 || num_args > 16 || depth > 0) {
    ++depth;
    int code = real.TVMFFIFunctionCall(func, args, num_args, result);
    --depth;
    return code;
  }
  for (int32_t i = 0; i < num_args; ++i) {
    __atomic_store_n((uint64_t*)&block[i], *(uint64_t*)&args[i], __ATOMIC_RELAXED);
    __atomic_store_n(&block[i].v_uint64, args[i].v_uint64, __ATOMIC_RELAXED);
  }
  sched_yield();
  ++depth;
  int code = real.TVMFFIFunctionCall(func, block, num_args, result);
  --depth;
  return code;
}
