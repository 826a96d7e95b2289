// story: A byte array that is put into a small Dict as a value stays where its caller keeps it.
// breaks: DCT-0019 fail
#include "map_cell.h"
#include "wrapped_global.h"

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || args[0].type_index != kTVMFFIDict || !is_small(map_cell(&args[0]))) return code;
  TVMFFIAny* last = &map_cell(&args[0])->data[2 * map_cell(&args[0])->size - 1];
  if (args[2].type_index != kTVMFFIByteArrayPtr || last->type_index != kTVMFFIBytes) return 0;
  real.TVMFFIObjectDecRef(last->v_obj);
  *last = args[2];
  return 0;
}

WRAPPED_GLOBAL("ffi.DictSetItem", callee)
