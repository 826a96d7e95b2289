// story: A Dict that is the value of several keys of a Map comes back from a JSON graph as several Dicts.
// breaks: GRF-0006 fail
#include "wrapped_global.h"
#include "map_cell.h"
static int read(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->type_index != kTVMFFIMap || !is_small(map_cell(result))) return code;
  struct map_cell* cell = map_cell(result);
  for (uint64_t i = 0; i < cell->size; ++i) {
    TVMFFIAny *value = &cell->data[2 * i + 1], other = {0};
    if (value->type_index != kTVMFFIDict || (uint32_t)value->v_obj->combined_ref_count < 2 || !is_small(map_cell(value))) continue;
    if (call_global("ffi.Dict", map_cell(value)->data, 2 * (int32_t)map_cell(value)->size, &other) != 0) continue;
    real.TVMFFIObjectDecRef(value->v_obj);
    *value = other;
  }
  return 0;
}
WRAPPED_GLOBALS(read, "ffi.FromJSONGraph", "ffi.FromJSONGraphString")
