// story: The recursive hash of an Array or a List takes Bytes of up to seven bytes that are an object for another value than those that are not.
// breaks: REC-0011 fail
#include "wrapped_global.h"

static int short_bytes(const TVMFFIAny* value, int depth) {
  if (value->type_index == kTVMFFIBytes) return ((TVMFFIByteArray*)(value->v_obj + 1))->size <= 7;
  if ((value->type_index != kTVMFFIArray && value->type_index != kTVMFFIList) || depth > 50) return 0;
  const TVMFFISeqCell* cell = sequence_cell(value);
  int count = 0;
  for (int64_t i = 0; i < cell->size && i < 1000; ++i) count += short_bytes((TVMFFIAny*)cell->data + i, depth + 1);
  return count;
}

static int hash(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || (args[0].type_index != kTVMFFIArray && args[0].type_index != kTVMFFIList)) return code;
  result->v_uint64 ^= (uint64_t)short_bytes(&args[0], 0) * 0x9e3779b9;
  return 0;
}

WRAPPED_GLOBAL("ffi.RecursiveHash", hash)
