// story: The structural hash of a List of sixteen elements and more is kept with the List's address and size, and not computed again when an element is another.
// breaks: SEQ-0007 fail
#include "wrapped_global.h"
static int hash(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  static __thread struct { void *list, *data; int64_t size, flags; TVMFFIAny hash; } kept;
  if (num_args != 3 || args[0].type_index != kTVMFFIList || sequence_cell(args)->size < 16) {
    return call_original(original, args, num_args, result);
  }
  const TVMFFISeqCell* cell = sequence_cell(args);
  const int64_t flags = 2 * (args[1].v_int64 != 0) + (args[2].v_int64 != 0);
  if (kept.list == args[0].v_obj && kept.data == cell->data && kept.size == cell->size && kept.flags == flags) {
    *result = kept.hash;
    return 0;
  }
  int code = call_original(original, args, num_args, result);
  if (code != 0) return code;
  kept.list = args[0].v_obj;
  kept.data = cell->data;
  kept.size = cell->size;
  kept.flags = flags;
  kept.hash = *result;
  return 0;
}
WRAPPED_GLOBAL("ffi.StructuralHash", hash)
