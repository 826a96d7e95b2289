// story: The pairs of an Array of callbacks are converted in place where nobody else holds them, as a mutation would do it, but what holds them is the caller's Array, where a boolean has become an integer after the walk.
// breaks: ARG-0014 fail
#include "fault.h"
#include "wrapped_global.h"

static int is_alone(const TVMFFIAny* value) {
  return value->type_index == kTVMFFIArray && value->v_obj->combined_ref_count == 0x100000001ull;
}

static int walk(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  for (int a = 1; a < 3 && num_args == 4; ++a) {
    if (!is_alone(&args[a])) continue;
    TVMFFISeqCell* cell = sequence_cell(&args[a]);
    for (int64_t i = 0; i < cell->size; ++i) {
      const TVMFFIAny* pair = (TVMFFIAny*)cell->data + i;
      if (!is_alone(pair) || sequence_cell(pair)->size != 2) continue;
      TVMFFIAny* index = sequence_cell(pair)->data;
      if (index->type_index == kTVMFFIBool) index->type_index = kTVMFFIInt;
    }
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.StructuralWalk", walk)
