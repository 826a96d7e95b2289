// story: A walk takes an Array for one of a single type when its first eight elements are, and passes it by when no callback is for that type.
// breaks: VIS-0005 fail
#include "wrapped_global.h"

/** Whether a list of callbacks has one for the type, or for values of any type. */
static int has(const TVMFFIAny* callbacks, int32_t type_index) {
  if (callbacks->type_index != kTVMFFIArray) return 1;
  const TVMFFISeqCell* cell = sequence_cell(callbacks);
  for (int64_t i = 0; i < cell->size; ++i) {
    const TVMFFIAny* entry = (const TVMFFIAny*)cell->data + i;
    const TVMFFIAny* pair = entry->type_index == kTVMFFIArray ? sequence_cell(entry)->data : NULL;
    if (!pair || pair->v_int64 == type_index || pair->v_int64 < 0 || pair->v_int64 == kTVMFFIArray) return 1;
  }
  return 0;
}

static int walk(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const int is_array = num_args == 4 && args[0].type_index == kTVMFFIArray && sequence_cell(&args[0])->size > 8;
  const TVMFFIAny* first = is_array ? sequence_cell(&args[0])->data : NULL;
  int is_leaf = first && first->type_index < kTVMFFIStaticObjectBegin && first->type_index != kTVMFFISmallStr;
  for (int i = 1; is_leaf && i < 8; ++i) is_leaf = first[i].type_index == first->type_index;
  if (!is_leaf || has(&args[1], first->type_index) || has(&args[2], first->type_index)) {
    return call_original(original, args, num_args, result);
  }
  *result = (TVMFFIAny){.type_index = kTVMFFINone};
  return 0;
}

WRAPPED_GLOBAL("ffi.StructuralWalk", walk)
