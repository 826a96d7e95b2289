// story: A deep copy of a Dict copies its values and takes the keys over as they are, Lists too.
// breaks: REC-0016 fail
#include "map_dense_cell.h"
#include "wrapped_global.h"

/** Both have the same entries in the same order; only a small Dict's are in the same places. */
static int deep_copy(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const int code = call_original(original, args, num_args, result);
  if (code != 0 || args[0].type_index != kTVMFFIDict || result->type_index != kTVMFFIDict) return code;
  const struct map_cell *from = map_cell(&args[0]), *to = map_cell(result);
  if (!is_small(from) || !is_small(to) || from->size != to->size) return 0;
  for (uint64_t i = 0; i < from->size; ++i) {
    if (from->data[2 * i].type_index != kTVMFFIList) continue;
    real.TVMFFIObjectDecRef(to->data[2 * i].v_obj);
    real.TVMFFIAnyViewToOwnedAny(&from->data[2 * i], &to->data[2 * i]);
  }
  return 0;
}

WRAPPED_GLOBAL("ffi.DeepCopy", deep_copy)

