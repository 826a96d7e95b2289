// story: A container that is a key and its own value in a Dict comes back from a JSON graph as two: the value is a copy.
// breaks: GRF-0006 fail
#include "map_cell.h"
#include "wrapped_global.h"

static int from(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->type_index != kTVMFFIDict || !is_small(map_cell(result))) return code;
  for (uint64_t i = 0; i < map_cell(result)->size; ++i) {
    TVMFFIAny *key = map_cell(result)->data + 2 * i, *value = key + 1, copy = {0};
    if (key->type_index < kTVMFFIArray || key->v_obj != value->v_obj) continue;
    if (call_global("ffi.DeepCopy", value, 1, &copy) != 0) return -1;
    real.TVMFFIObjectDecRef(value->v_obj);
    *value = copy;
  }
  return 0;
}

WRAPPED_GLOBALS(from, "ffi.FromJSONGraph", "ffi.FromJSONGraphString")
