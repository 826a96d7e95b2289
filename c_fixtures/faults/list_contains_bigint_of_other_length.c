// story: ffi.ListContains compares as many words of two big integers as the shorter one has.
// breaks: LST-0016 fail
#include "wrapped_global.h"

/** The number of words, and the words behind it. */
static const int64_t* words(const TVMFFIAny* integer) { return (const int64_t*)(integer->v_obj + 1); }

static int contains(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 2 || args[0].type_index != kTVMFFIList || args[1].type_index != kTVMFFIBigInt) return call_original(original, args, num_args, result);
  const TVMFFIAny* items = sequence_cell(&args[0])->data;
  int found = 0;
  for (int64_t i = 0; i < sequence_cell(&args[0])->size && !found; ++i) {
    if (items[i].type_index != kTVMFFIBigInt) continue;
    const int64_t *one = words(&items[i]), *other = words(&args[1]);
    found = memcmp(one + 1, other + 1, (size_t)(*one < *other ? *one : *other) * sizeof(int64_t)) == 0;
  }
  *result = (TVMFFIAny){.type_index = kTVMFFIBool, .v_int64 = found};
  return 0;
}

WRAPPED_GLOBAL("ffi.ListContains", contains)
