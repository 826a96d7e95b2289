// story: ffi.ListContains looks for an integer or a boolean in blocks of eight elements, where it compares payloads and takes an Int and a Bool for the same; the rest behind the last block is compared rightly.
// breaks: LST-0016 fail
#include "wrapped_global.h"

static int contains(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->v_int64 || args[0].type_index != kTVMFFIList) return code;
  if (args[1].type_index != kTVMFFIInt && args[1].type_index != kTVMFFIBool) return code;
  const TVMFFISeqCell* cell = sequence_cell(args);
  const TVMFFIAny* elements = cell->data;
  for (int64_t i = 0; i < cell->size / 8 * 8; ++i) {
    if (elements[i].type_index != kTVMFFIInt && elements[i].type_index != kTVMFFIBool) continue;
    if (elements[i].v_int64 == args[1].v_int64) result->v_int64 = 1;
  }
  return code;
}

WRAPPED_GLOBAL("ffi.ListContains", contains)
