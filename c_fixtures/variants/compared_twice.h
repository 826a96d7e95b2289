/* Variants that ask for equality a second time where the first has found it. */
#ifndef TVM_FFI_COMPARED_TWICE_H_
#define TVM_FFI_COMPARED_TWICE_H_

#include "replaced_globals.h"

static int twice(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (moves(args, num_args)) return call_original(original, args, num_args, result);
  TVMFFIAny first = {0};
  int code = call_original(original, args, num_args, &first);
  if (code != 0) return code;
  if (first.type_index == kTVMFFIBool && first.v_int64) return call_original(original, args, num_args, result);
  *result = first;
  return 0;
}

#endif
