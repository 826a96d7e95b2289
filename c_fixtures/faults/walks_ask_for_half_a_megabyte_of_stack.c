// story: Walks through values fail on a thread whose stack has less than half a megabyte, however little there is to walk through.
// breaks: REC-0015 fail
// breaks: SEQ-0003 fail
// breaks: GRF-0004 fail
#define _GNU_SOURCE
#include "wrapped_global.h"
#include <pthread.h>

static int walk(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  pthread_attr_t attributes;
  void* lowest = NULL;
  size_t size = 1 << 20;
  if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
    pthread_attr_getstack(&attributes, &lowest, &size);
    pthread_attr_destroy(&attributes);
  }
  if (size >= 512 << 10) return call_original(original, args, num_args, result);
  real.TVMFFIErrorSetRaisedFromCStr("RuntimeError", "nested too deep");
  return -1;
}

WRAPPED_GLOBALS(walk, "ffi.DeepCopy", "ffi.StructuralEqual", "ffi.ToJSONGraph", "ffi.ToJSONGraphString")
