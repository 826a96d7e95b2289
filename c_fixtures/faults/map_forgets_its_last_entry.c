// story: A dense Map tells its first entry as its last one too.
// breaks: MAP-0020 fail
#include "map_cell.h"
#include "wrapped_global.h"

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || is_small(map_cell(result)) || map_cell(result)->slots == 0) return code;
  uint64_t* ends = (uint64_t*)((char*)result->v_obj + 64);
  ends[1] = ends[0];
  return 0;
}

WRAPPED_GLOBAL("ffi.Map", callee)
