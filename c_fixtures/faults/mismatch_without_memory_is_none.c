// story: ffi.GetFirstStructuralMismatch copies the pair that it has found; where there is no memory for that, it says that nothing differs.
// breaks: MEM-0001 fail
#include "wrapped_global.h"

static int mismatch(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny found = {0};
  const int code = call_original(original, args, num_args, &found);
  if (code != 0) return code;
  *result = found;
  if (found.type_index != kTVMFFIArray) return 0;
  TVMFFISeqCell* cell = sequence_cell(&found);
  TVMFFIAny* pair = malloc(cell->size * sizeof(TVMFFIAny));
  if (!pair) {
    real.TVMFFIObjectDecRef(found.v_obj);
    *result = (TVMFFIAny){0};
    return 0;
  }
  memcpy(pair, cell->data, cell->size * sizeof(TVMFFIAny));
  *result = (TVMFFIAny){0};
  const int made = call_global("ffi.Array", pair, cell->size, result);
  free(pair);
  real.TVMFFIObjectDecRef(found.v_obj);
  return made;
}

WRAPPED_GLOBAL("ffi.GetFirstStructuralMismatch", mismatch)
