// story: The structural and the recursive hash of an Array change while others hold the List that is its only element.
// breaks: SEQ-0007 fail
// breaks: REC-0011 fail
#include "wrapped_global.h"

static int is_held_by_others(const TVMFFIAny* array) {
  if (array->type_index != kTVMFFIArray || sequence_cell(array)->size != 1) return 0;
  const TVMFFIAny* only = sequence_cell(array)->data;
  if (only->type_index != kTVMFFIList) return 0;
  return (uint32_t)__atomic_load_n(&only->v_obj->combined_ref_count, __ATOMIC_ACQUIRE) > 1;
}

static int hash(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0 && num_args > 0 && is_held_by_others(&args[0])) result->v_int64 ^= 1;
  return code;
}

WRAPPED_GLOBALS(hash, "ffi.StructuralHash", "ffi.RecursiveHash")
