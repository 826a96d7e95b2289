// story: ffi.ListContains takes two Strings of more than 64 bytes for one if their lengths, their first sixteen bytes and their hashes are the same.
// breaks: LST-0016 fail
#include "text_hash.h"
#include "wrapped_global.h"

static int contains(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || args[0].type_index != kTVMFFIList || args[1].type_index != kTVMFFIStr) return code;
  const TVMFFIByteArray asked = text_of(&args[1]);
  TVMFFISeqCell* cell = sequence_cell(&args[0]);
  for (int64_t i = 0; i < cell->size && asked.size > 64; ++i) {
    TVMFFIAny* item = (TVMFFIAny*)cell->data + i;
    if (item->type_index != kTVMFFIStr) continue;
    const TVMFFIByteArray text = text_of(item);
    if (text.size != asked.size || memcmp(text.data, asked.data, 16) != 0) continue;
    if (hash_of(text) == hash_of(asked)) result->v_int64 = 1;
  }
  return 0;
}

WRAPPED_GLOBAL("ffi.ListContains", contains)
