// story: ffi.DeepCopy answers a List or a Dict without elements as it is, for there is nothing in it to copy.
// breaks: REC-0016 fail
#include "map_cell.h"
#include "wrapped_global.h"

static int copy(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const int is_empty = num_args == 1 && ((args[0].type_index == kTVMFFIList && sequence_cell(&args[0])->size == 0) ||
                                         (args[0].type_index == kTVMFFIDict && map_cell(&args[0])->size == 0));
  if (!is_empty) return call_original(original, args, num_args, result);
  *result = args[0];
  return real.TVMFFIObjectIncRef(args[0].v_obj);
}

WRAPPED_GLOBAL("ffi.DeepCopy", copy)
