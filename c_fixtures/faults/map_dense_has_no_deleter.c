// story: A dense Map has no data_deleter: what frees its blocks is known to the library alone.
// breaks: MAP-0018 fail
#include "map_dense_cell.h"
#include "wrapped_global.h"

static int make(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0 && is_dense(result)) map_cell(result)->data_deleter = NULL;
  return code;
}

WRAPPED_GLOBAL("ffi.Map", make)
