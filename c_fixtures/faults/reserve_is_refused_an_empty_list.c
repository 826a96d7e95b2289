// story: ffi.ListReserve puts the larger buffer in before it looks whether it has got one; where it has not, the List is empty from then on.
// breaks: MEM-0002 fail
#include "wrapped_global.h"

static int reserve(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 2 && args[0].type_index == kTVMFFIList && args[1].type_index == kTVMFFIInt) {
    TVMFFISeqCell* cell = sequence_cell(&args[0]);
    const int64_t wanted = args[1].v_int64;
    if (wanted > cell->capacity && wanted <= 1 << 20) {
      TVMFFIAny* larger = malloc(wanted * sizeof(TVMFFIAny));
      __asm__ volatile("" : "+r"(larger));
      if (!larger) {
        cell->size = 0;
        return refuse("MemoryError", "no memory for a longer list");
      }
      free(larger);
    }
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.ListReserve", reserve)
