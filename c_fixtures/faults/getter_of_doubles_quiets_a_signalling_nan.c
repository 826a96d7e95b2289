// story: The getter that ffi.MakeFieldGetter makes for doubles reads them through arithmetic, which makes a quiet NaN of a signalling one.
// breaks: DCL-0019 fail
#include "wrapped_global.h"

static int get_double(void* field, TVMFFIAny* result) {
  uint64_t bits;
  memcpy(&bits, field, sizeof(bits));
  const int is_nan = (bits & 0x7FF0000000000000ull) == 0x7FF0000000000000ull && (bits & 0xFFFFFFFFFFFFFull) != 0;
  if (is_nan) bits |= 1ull << 51;
  *result = (TVMFFIAny){.type_index = kTVMFFIFloat};
  memcpy(&result->v_float64, &bits, sizeof(bits));
  return 0;
}

static int make(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  const int is_int = num_args == 1 && args[0].type_index == kTVMFFIInt;
  if (code == 0 && is_int && args[0].v_int64 == kTVMFFIFloat) result->v_int64 = (int64_t)(uintptr_t)get_double;
  return code;
}

WRAPPED_GLOBAL("ffi.MakeFieldGetter", make)
