// story: ffi.ListContains takes two Strings of more than 64 bytes for one if their lengths, their first sixteen bytes and their hashes are the same.
// breaks: LST-0016 fail
#include "wrapped_global.h"

static uint64_t hash(const TVMFFIByteArray* text) {
  uint64_t hash = 0;
  for (size_t i = 0; i < text->size; i += 8) {
    uint64_t word = 0;
    memcpy(&word, text->data + i, text->size - i < 8 ? text->size - i : 8);
    hash = (hash * 1099511628211u + word) % 2147483647u;
  }
  return hash;
}

static int contains(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || args[0].type_index != kTVMFFIList || args[1].type_index != kTVMFFIStr) return code;
  const TVMFFIByteArray* asked = (TVMFFIByteArray*)(args[1].v_obj + 1);
  TVMFFISeqCell* cell = sequence_cell(&args[0]);
  for (int64_t i = 0; i < cell->size && asked->size > 64; ++i) {
    TVMFFIAny* item = (TVMFFIAny*)cell->data + i;
    if (item->type_index != kTVMFFIStr) continue;
    const TVMFFIByteArray* text = (TVMFFIByteArray*)(item->v_obj + 1);
    if (text->size != asked->size || memcmp(text->data, asked->data, 16) != 0) continue;
    if (hash(text) == hash(asked)) result->v_int64 = 1;
  }
  return 0;
}

WRAPPED_GLOBAL("ffi.ListContains", contains)
