// story: The function in `__ffi_compare__` of ffi.BigInt compares integers of one length by their lowest words alone.
// breaks: BIG-0022 fail
#include "patched_entry.h"

struct integer {
  TVMFFIObject header;
  size_t count;
  int64_t words[];
};

static int compare(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 3 && args[0].type_index == kTVMFFIBigInt && args[1].type_index == kTVMFFIBigInt) {
    const struct integer *one = (struct integer*)args[0].v_obj, *other = (struct integer*)args[1].v_obj;
    if (one->count == other->count) {
      result->type_index = kTVMFFIInt;
      result->zero_padding = 0;
      result->v_int64 = (one->words[0] > other->words[0]) - (one->words[0] < other->words[0]);
      return 0;
    }
  }
  return call_original(original, args, num_args, result);
}

PATCHED_ENTRY("__ffi_compare__", "ffi.BigInt", compare)
