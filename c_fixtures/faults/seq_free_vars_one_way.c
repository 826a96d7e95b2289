// story: When free variables are mapped, ffi.StructuralEqual records the mapping from left to right only: two variables on the left may both stand for one on the right.
// breaks: SEQ-0022 fail
#include "wrapped_global.h"
static int is_variable(const TVMFFIAny* value) {
  if (value->type_index < kTVMFFIDynObjectBegin) return 0;
  const TVMFFITypeMetadata* metadata = real.TVMFFIGetTypeInfo(value->type_index)->metadata;
  return metadata && metadata->structural_eq_hash_kind == kTVMFFISEqHashKindFreeVar;
}
static int equal(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || num_args != 4 || result->v_int64 || !args[2].v_int64 || args[0].type_index != kTVMFFIArray || args[1].type_index != kTVMFFIArray) return code;
  int64_t size = sequence_cell(&args[0])->size;
  const TVMFFIAny *left = sequence_cell(&args[0])->data, *right = sequence_cell(&args[1])->data;
  if (size != sequence_cell(&args[1])->size) return 0;
  for (int64_t i = 0; i < size; ++i) {
    if (!is_variable(&left[i]) || left[i].type_index != right[i].type_index) return 0;
    for (int64_t j = 0; j < i; ++j) if (left[i].v_obj == left[j].v_obj && right[i].v_obj != right[j].v_obj) return 0;
  }
  result->v_int64 = 1;
  return 0;
}
WRAPPED_GLOBAL("ffi.StructuralEqual", equal)
