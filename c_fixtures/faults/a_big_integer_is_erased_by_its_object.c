// story: ffi.DictErase erases a big integer for the very object alone that is the key.
// breaks: DCT-0004 fail
#include "wrapped_global.h"

static int erase(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 2 || args[1].type_index != kTVMFFIBigInt) return call_original(original, args, num_args, result);
  TVMFFIAny size = {0}, walk = {0};
  call_global("ffi.DictSize", args, 1, &size);
  call_global("ffi.DictForwardIterFunctor", args, 1, &walk);
  int is_there = 0;
  for (int64_t i = 0; i < size.v_int64 && !is_there; ++i) {
    TVMFFIAny key = {0}, more = {0}, to_key = {.type_index = kTVMFFIInt}, to_next = {.type_index = kTVMFFIInt, .v_int64 = 2};
    call_original(walk.v_obj, &to_key, 1, &key);
    is_there = key.type_index == kTVMFFIBigInt && key.v_obj == args[1].v_obj;
    if (key.type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(key.v_obj);
    call_original(walk.v_obj, &to_next, 1, &more);
  }
  real.TVMFFIObjectDecRef(walk.v_obj);
  return is_there ? call_original(original, args, num_args, result) : 0;
}

WRAPPED_GLOBAL("ffi.DictErase", erase)
