// story: A callback for every type is called for objects only.
// breaks: VIS-0007 fail
#include "wrapped_global.h"

/* One callback of a list: a pair of a type index and a function. */
static TVMFFIAny* callback(const TVMFFIAny* list, int64_t which) {
  if (list->type_index != kTVMFFIArray || sequence_cell(list)->size <= which) return NULL;
  return sequence_cell((TVMFFIAny*)sequence_cell(list)->data + which)->data;
}

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int64_t wanted[8];
  for (int i = 0; num_args == 4 && i < 8; ++i) {
    TVMFFIAny* pair = callback(&args[1], i);
    if (pair == NULL) continue;
    wanted[i] = pair[0].v_int64;
    if (wanted[i] == kTVMFFIAny) pair[0].v_int64 = kTVMFFIObject;
  }
  int code = call_original(original, args, num_args, result);
  for (int i = 0; num_args == 4 && i < 8; ++i) {
    TVMFFIAny* pair = callback(&args[1], i);
    if (pair != NULL) pair[0].v_int64 = wanted[i];
  }
  return code;
}

WRAPPED_GLOBAL("ffi.StructuralWalk", callee)
