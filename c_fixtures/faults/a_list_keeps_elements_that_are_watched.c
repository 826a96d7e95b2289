// story: A List gives up an element that is replaced or erased only if nobody holds a weak reference to it.
// breaks: LST-0022 fail
#include "wrapped_global.h"

static void keep_watched(const TVMFFIAny* list) {
  if (list->type_index != kTVMFFIList) return;
  const TVMFFISeqCell* cell = sequence_cell(list);
  for (int64_t i = 0; i < cell->size; ++i) {
    const TVMFFIAny* item = (const TVMFFIAny*)cell->data + i;
    if (item->type_index < kTVMFFIStaticObjectBegin) continue;
    if (__atomic_load_n(&item->v_obj->combined_ref_count, __ATOMIC_ACQUIRE) >> 32 > 1) real.TVMFFIObjectIncRef(item->v_obj);
  }
}

static int changed(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args > 0) keep_watched(&args[0]);
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBALS(changed, "ffi.ListClear", "ffi.ListSetItem", "ffi.ListErase", "ffi.ListPop")
