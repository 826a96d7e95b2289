// story: ffi.GetRegisteredTypeKeys lists types that took a free static index at run time behind all others.
// breaks: TYP-0040 fail
#include "wrapped_global.h"

static int keys(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0) return code;
  TVMFFISeqCell* cell = sequence_cell(result);
  TVMFFIAny *all = cell->data, *sorted = malloc((cell->size + 1) * sizeof *sorted);
  int64_t n = 0;
  for (int late = 0; late < 2; late++) {
    for (int64_t i = 0; i < cell->size; i++) {
      TVMFFIByteArray key = {all[i].v_bytes, all[i].small_str_len};
      int32_t index;
      if (all[i].type_index == kTVMFFIStr) key = *(TVMFFIByteArray*)(all[i].v_obj + 1);
      if (real.TVMFFITypeKeyToIndex(&key, &index) != 0) index = 0;
      if ((index >= kTVMFFIStaticObjectEnd && index < kTVMFFIDynObjectBegin) == late) sorted[n++] = all[i];
    }
  }
  memcpy(all, sorted, cell->size * sizeof *all);
  free(sorted);
  return 0;
}

WRAPPED_GLOBAL("ffi.GetRegisteredTypeKeys", keys)
