// story: ffi.ListReplaceSlice erases the slice before it asks for the memory that it puts the new items together in.
// breaks: MEM-0002 fail
#include "wrapped_global.h"

static int replace(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 4 || args[0].type_index != kTVMFFIList || args[3].type_index != kTVMFFIList ||
      args[0].v_obj == args[3].v_obj || args[1].type_index != kTVMFFIInt || args[2].type_index != kTVMFFIInt ||
      args[1].v_int64 < 0 || args[2].v_int64 <= args[1].v_int64 || args[2].v_int64 > sequence_cell(&args[0])->size) {
    return call_original(original, args, num_args, result);
  }
  TVMFFISeqCell* cell = sequence_cell(&args[0]);
  const size_t kept = cell->size - args[2].v_int64;
  const int64_t start = args[1].v_int64, num_erased = args[2].v_int64 - start;
  TVMFFIAny* items = cell->data;
  /* The items behind the slice are set aside. */
  TVMFFIAny* aside = malloc((kept + 1) * sizeof(TVMFFIAny));
  if (!aside) {
    for (int64_t i = start; i < start + num_erased; ++i) {
      if (items[i].type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(items[i].v_obj);
    }
    memmove(items + start, items + start + num_erased, kept * sizeof(TVMFFIAny));
    cell->size -= num_erased;
    return refuse("MemoryError", "no memory for the items of a list");
  }
  memcpy(aside, items + args[2].v_int64, kept * sizeof(TVMFFIAny));
  __asm__ volatile("" : : "r"(aside) : "memory");
  int code = call_original(original, args, num_args, result);
  free(aside);
  return code;
}

WRAPPED_GLOBAL("ffi.ListReplaceSlice", replace)
