// story: A mutation leaves an object of a client's type as it is when no callback matches it.
// breaks: VIS-0051 fail
#include "wrapped_global.h"

static int mutate(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const int is_object = num_args == 2 && args[0].type_index >= kTVMFFIDynObjectBegin;
  if (!is_object || args[1].type_index != kTVMFFIArray || sequence_cell(&args[1])->size != 1) {
    return call_original(original, args, num_args, result);
  }
  const TVMFFIAny* entry = (const TVMFFIAny*)sequence_cell(&args[1])->data;
  if (entry->type_index != kTVMFFIArray || sequence_cell(entry)->size != 3) {
    return call_original(original, args, num_args, result);
  }
  if (((const TVMFFIAny*)sequence_cell(entry)->data)->v_int64 != kTVMFFIInt) {
    return call_original(original, args, num_args, result);
  }
  real.TVMFFIObjectIncRef(args[0].v_obj);
  *result = args[0];
  return 0;
}

WRAPPED_GLOBAL("ffi.StructuralMutate", mutate)
