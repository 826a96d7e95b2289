// story: ffi.ArrayContains and ffi.ListContains find short Bytes only where the element has the same form, inline or object.
// breaks: HSH-0005 fail
// breaks: ARR-0014 fail
#include "wrapped_global.h"
static int contains(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  int code = call_original(self, args, n, result);
  if (code != 0 || !result->v_int64) return code;
  TVMFFIAny needle = {0};
  if (args[1].type_index != kTVMFFIByteArrayPtr && args[1].type_index != kTVMFFISmallBytes && args[1].type_index != kTVMFFIBytes) return 0;
  if (real.TVMFFIAnyViewToOwnedAny(&args[1], &needle)) return -1;
  TVMFFISeqCell* cell = sequence_cell(&args[0]);
  result->v_int64 = 0;
  for (int64_t i = 0; i < cell->size; ++i) {
    TVMFFIAny* item = (TVMFFIAny*)cell->data + i;
    if (item->type_index != needle.type_index) continue;
    if (needle.type_index == kTVMFFISmallBytes ? !memcmp(item, &needle, 16) : ((TVMFFIByteArray*)(item->v_obj + 1))->size == ((TVMFFIByteArray*)(needle.v_obj + 1))->size && !memcmp(((TVMFFIByteArray*)(item->v_obj + 1))->data, ((TVMFFIByteArray*)(needle.v_obj + 1))->data, ((TVMFFIByteArray*)(needle.v_obj + 1))->size)) result->v_int64 = 1;
  }
  if (needle.type_index >= 64) real.TVMFFIObjectDecRef(needle.v_obj);
  return 0;
}
WRAPPED_GLOBALS(contains, "ffi.ArrayContains", "ffi.ListContains")
