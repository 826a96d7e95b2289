/* A hash that tells a container that stands twice in an Array from two that are alike. */
#ifndef TVM_FFI_ONE_TWICE_H_
#define TVM_FFI_ONE_TWICE_H_

#include "wrapped_global.h"

/** Whether the second and the fourth of four elements are one object. */
static inline int has_one_twice(const TVMFFIAny* value) {
  TVMFFIAny size = {0}, elements[2] = {{0}};
  if (value->type_index != kTVMFFIArray || call_global("ffi.ArraySize", value, 1, &size) != 0 || size.v_int64 != 4) return 0;
  for (int i = 0; i < 2; ++i) {
    TVMFFIAny args[2] = {*value, {.type_index = kTVMFFIInt, .v_int64 = 2 * i + 1}};
    if (call_global("ffi.ArrayGetItem", args, 2, &elements[i]) != 0) return 0;
    if (elements[i].type_index < kTVMFFIStaticObjectBegin) return 0;
    real.TVMFFIObjectDecRef(elements[i].v_obj);
  }
  return elements[0].v_obj == elements[1].v_obj;
}

static int hash_otherwise(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0 && num_args > 0 && has_one_twice(&args[0])) result->v_int64 ^= 1;
  return code;
}

#endif /* TVM_FFI_ONE_TWICE_H_ */
