// story: Functions for the keys of a type are dropped when they are registered after one of its objects was the key of a Map.
// breaks: HSH-0012 fail
#include "wrapped_global.h"

static char used[1 << 16];

static int make(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  for (int32_t i = 0; i < num_args; i += 2) {
    int32_t index = args[i].type_index;
    if (index >= kTVMFFIDynObjectBegin && index < 1 << 16) __atomic_store_n(&used[index], 1, __ATOMIC_RELAXED);
  }
  return call_original(original, args, num_args, result);
}

int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* attr_name, const TVMFFIAny* attr_value) {
  if ((is(attr_name, "__any_hash__") || is(attr_name, "__any_equal__")) && type_index >= kTVMFFIDynObjectBegin &&
      type_index < 1 << 16 && __atomic_load_n(&used[type_index], __ATOMIC_RELAXED))
    return 0;
  return real.TVMFFITypeRegisterAttr(type_index, attr_name, attr_value);
}

WRAPPED_GLOBAL("ffi.Map", make)
