// story: The type keys are collected in a buffer that grows; where it is not let grow, ffi.GetRegisteredTypeKeys answers those it has so far.
// breaks: MEM-0001 fail
#include "wrapped_global.h"

static int keys(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny all = {0}, *kept = NULL;
  int32_t room = 0, num = 0;
  int code = call_original(original, args, num_args, &all);
  if (code != 0) return code;
  TVMFFISeqCell* cell = sequence_cell(&all);
  for (int64_t i = 0; i < cell->size; ++i) {
    if (num == room) {
      const int32_t more = room ? 2 * room : 32;
      TVMFFIAny* grown = realloc(kept, more * sizeof(TVMFFIAny));
      if (!grown) break;
      kept = grown;
      room = more;
    }
    kept[num++] = ((TVMFFIAny*)cell->data)[i];
  }
  code = call_global("ffi.Array", kept, num, result);
  free(kept);
  real.TVMFFIObjectDecRef(all.v_obj);
  return code;
}

WRAPPED_GLOBAL("ffi.GetRegisteredTypeKeys", keys)
