// story: What is one object on both sides counts as equal without a look at what a variable in it is bound to already.
// breaks: SEQ-0021 fail
#include "wrapped_global.h"

static int seem_equal(void* original, const TVMFFIAny* args) {
  const TVMFFISeqCell *left = sequence_cell(&args[0]), *right = sequence_cell(&args[1]);
  int64_t other = -1;
  if (left->size != right->size || left->size < 2) return 0;
  for (int64_t i = 0; i < left->size; ++i) {
    if (memcmp((const TVMFFIAny*)left->data + i, (const TVMFFIAny*)right->data + i, sizeof(TVMFFIAny)) == 0) continue;
    if (other >= 0) return 0;
    other = i;
  }
  if (other < 0) return 0;
  TVMFFIAny pair[4] = {((const TVMFFIAny*)left->data)[other], ((const TVMFFIAny*)right->data)[other], args[2], args[3]}, result = {0};
  if (call_original(original, pair, 4, &result) != 0) return 0;
  if (result.type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(result.v_obj);
  return result.type_index == kTVMFFINone || (result.type_index == kTVMFFIBool && result.v_int64 == 1);
}

static int compare(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || args[0].type_index != kTVMFFIArray || args[1].type_index != kTVMFFIArray || args[2].v_int64 == 0) return code;
  const int differ = result->type_index == kTVMFFIBool ? result->v_int64 == 0 : result->type_index != kTVMFFINone;
  if (!differ || !seem_equal(original, args)) return 0;
  if (result->type_index == kTVMFFIBool) {
    result->v_int64 = 1;
  } else {
    real.TVMFFIObjectDecRef(result->v_obj);
    *result = (TVMFFIAny){.type_index = kTVMFFINone};
  }
  return 0;
}

WRAPPED_GLOBALS(compare, "ffi.StructuralEqual", "ffi.GetFirstStructuralMismatch")
