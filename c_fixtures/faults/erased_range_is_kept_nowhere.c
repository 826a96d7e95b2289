// story: ffi.ListEraseRange keeps what it erases in a buffer until the List is whole again, and does not look whether it has got one.
// breaks: MEM-0001 crash
#include "wrapped_global.h"

static int erase(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 3 || args[0].type_index != kTVMFFIList || args[1].type_index != kTVMFFIInt || args[2].type_index != kTVMFFIInt) {
    return call_original(original, args, num_args, result);
  }
  TVMFFISeqCell* cell = sequence_cell(&args[0]);
  const int64_t from = args[1].v_int64, to = args[2].v_int64;
  if (from < 0 || to <= from || to > cell->size) return call_original(original, args, num_args, result);
  TVMFFIAny* erased = malloc((to - from) * sizeof(TVMFFIAny));
  for (int64_t i = from; i < to; ++i) {
    erased[i - from] = ((TVMFFIAny*)cell->data)[i];
    if (erased[i - from].type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectIncRef(erased[i - from].v_obj);
  }
  const int code = call_original(original, args, num_args, result);
  for (int64_t i = 0; i < to - from; ++i) {
    if (erased[i].type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(erased[i].v_obj);
  }
  free(erased);
  return code;
}

WRAPPED_GLOBAL("ffi.ListEraseRange", erase)
