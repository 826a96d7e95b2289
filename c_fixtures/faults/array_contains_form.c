// story: ffi.ArrayContains does not find a short text if it is stored as an object and asked for in the small form.
// breaks: ARR-0014 fail
#include "wrapped_global.h"

static int contains(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || !result->v_int64) return code;
  TVMFFIAny own;
  if (args[1].type_index != kTVMFFISmallStr && args[1].type_index != kTVMFFIRawStr) return 0;
  if (real.TVMFFIAnyViewToOwnedAny(&args[1], &own) != 0) return -1;
  if (own.type_index >= kTVMFFIStaticObjectBegin) return real.TVMFFIObjectDecRef(own.v_obj);
  const TVMFFISeqCell* cell = sequence_cell(&args[0]);
  result->v_int64 = 0;
  for (int64_t i = 0; i < cell->size; i++)
    if (memcmp((const TVMFFIAny*)cell->data + i, &own, sizeof own) == 0) result->v_int64 = 1;
  return 0;
}

WRAPPED_GLOBAL("ffi.ArrayContains", contains)
