// story: A callback is told that it is within a pattern wherever it is.
// breaks: VIS-0013 fail
// chance: It changes lists of callbacks that threads share.
#include "wrapped_global.h"

/* One callback of a list: a pair of a type index and a function. */
static TVMFFIAny* callback(const TVMFFIAny* list, int64_t which) {
  if (list->type_index != kTVMFFIArray || sequence_cell(list)->size <= which) return NULL;
  return sequence_cell((TVMFFIAny*)sequence_cell(list)->data + which)->data;
}

static int call_back(void* callee, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny wrong[2] = {args[0], {.type_index = kTVMFFIInt, .v_int64 = kTVMFFIDefRegionKindPattern}};
  return call_original(callee, wrong, num_args, result);
}

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIObject* callees[8];
  for (int i = 0; num_args == 4 && i < 8; ++i) {
    TVMFFIAny* pair = callback(&args[2], i);
    TVMFFIObjectHandle wrapper = NULL;
    if (pair == NULL) continue;
    callees[i] = pair[1].v_obj;
    real.TVMFFIFunctionCreate(callees[i], call_back, NULL, &wrapper);
    pair[1].v_obj = wrapper;
  }
  int code = call_original(original, args, num_args, result);
  for (int i = 0; num_args == 4 && i < 8; ++i) {
    TVMFFIAny* pair = callback(&args[2], i);
    if (pair == NULL) continue;
    real.TVMFFIObjectDecRef(pair[1].v_obj);
    pair[1].v_obj = callees[i];
  }
  return code;
}

WRAPPED_GLOBAL("ffi.StructuralWalk", callee)
