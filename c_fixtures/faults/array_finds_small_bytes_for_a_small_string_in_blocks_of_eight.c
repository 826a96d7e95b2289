// story: ffi.ArrayContains looks for a small string in blocks of eight elements, where it compares lengths and payloads and finds small Bytes for it; the rest behind the last block is compared rightly.
// breaks: ARR-0014 fail
#include "wrapped_global.h"

static int contains(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->v_int64 || args[0].type_index != kTVMFFIArray) return code;
  if (args[1].type_index != kTVMFFISmallStr) return code;
  const TVMFFISeqCell* cell = sequence_cell(args);
  const TVMFFIAny* elements = cell->data;
  for (int64_t i = 0; i < cell->size / 8 * 8; ++i) {
    if (elements[i].type_index != kTVMFFISmallBytes || elements[i].small_str_len != args[1].small_str_len) continue;
    if (elements[i].v_int64 == args[1].v_int64) result->v_int64 = 1;
  }
  return code;
}

WRAPPED_GLOBAL("ffi.ArrayContains", contains)
