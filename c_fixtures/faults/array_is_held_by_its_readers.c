// story: Each call that asks for the size of an Array that begins with 1, 2, 3 keeps a reference to it.
// breaks: ARR-0017 fail
#include "wrapped_global.h"

static int begins_with_1_2_3(const TVMFFIAny* array) {
  const TVMFFIAny* items = sequence_cell(array)->data;
  if (array->type_index != kTVMFFIArray || sequence_cell(array)->size < 3) return 0;
  return items[0].v_int64 == 1 && items[1].v_int64 == 2 && items[2].v_int64 == 3;
}

static int size(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0 && begins_with_1_2_3(args)) real.TVMFFIObjectIncRef(args[0].v_obj);
  return code;
}

WRAPPED_GLOBAL("ffi.ArraySize", size)
