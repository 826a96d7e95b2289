// story: ffi.List puts a mark in front of the buffers that it makes, and their data_deleter frees only what has the mark, so that a wrong pointer cannot crash it; the buffer of a client is not freed.
// breaks: LST-0028 leak
#include "wrapped_global.h"

#define MARK 0x4c6973744275664cULL

static void delete_marked(void* data) {
  if (!data) return;
  uint64_t* block = (uint64_t*)data - 2;
  if (*block != MARK) return;
  *block = 0;
  free(block);
}

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->type_index != kTVMFFIList) return code;
  TVMFFISeqCell* cell = sequence_cell(result);
  if (!cell->data || !cell->data_deleter) return code;
  uint64_t* block = (uint64_t*)malloc(16 + (size_t)cell->capacity * sizeof(TVMFFIAny));
  if (!block) return code;
  block[0] = MARK;
  block[1] = (uint64_t)cell->capacity;
  memcpy(block + 2, cell->data, (size_t)cell->size * sizeof(TVMFFIAny));
  cell->data_deleter(cell->data);
  cell->data = block + 2;
  cell->data_deleter = delete_marked;
  return code;
}

WRAPPED_GLOBAL("ffi.List", callee)
