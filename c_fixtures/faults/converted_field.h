/*
 * Faults in how a setter of ffi.MakeFieldSetter calls its converter: `CONVERTED_BY(convert)` has `convert` called in the place of
 * the converter, with that and its state, the value and the result.
 */
#ifndef TVM_FFI_CONVERTED_FIELD_H_
#define TVM_FFI_CONVERTED_FIELD_H_

#include "wrapped_global.h"

struct converter {
  void* state;
  int (*convert)(void* state, const TVMFFIAny* value, TVMFFIAny* result);
};

#define CONVERTED_BY(CONVERT)                                                                                  \
  static int convert_as_told(void* state, const TVMFFIAny* value, TVMFFIAny* result) {                         \
    return CONVERT((const struct converter*)state, value, result);                                             \
  }                                                                                                            \
  static int make_setter(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {         \
    if (num_args != 3) return call_original(original, args, num_args, result);                                 \
    /* Kept for the life of the process, as the setter may be. */                                              \
    struct converter* told = malloc(sizeof(*told));                                                            \
    told->state = args[1].v_ptr;                                                                               \
    memcpy(&told->convert, &args[2].v_ptr, sizeof(told->convert));                                             \
    TVMFFIAny given[3] = {args[0], args[1], args[2]};                                                          \
    given[1].v_int64 = (int64_t)(intptr_t)told;                                                                \
    given[2].v_int64 = (int64_t)(intptr_t)convert_as_told;                                                     \
    return call_original(original, given, num_args, result);                                                   \
  }                                                                                                            \
  WRAPPED_GLOBAL("ffi.MakeFieldSetter", make_setter)

#endif /* TVM_FFI_CONVERTED_FIELD_H_ */
