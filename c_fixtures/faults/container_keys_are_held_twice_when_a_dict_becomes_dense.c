// story: When a fifth entry makes a Dict dense, keys that are containers are copied and not moved, and the old references are never given up.
// breaks: CNT-0009 fail
#include "map_cell.h"
#include "wrapped_global.h"

static int is_container(int32_t type) {
  return type == kTVMFFIArray || type == kTVMFFIList || type == kTVMFFIMap || type == kTVMFFIDict;
}

static int set_item(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIObject* keys[4];
  int num_keys = 0;
  const int is_candidate = num_args == 3 && args[0].type_index == kTVMFFIDict && is_small(map_cell(&args[0]));
  if (is_candidate) {
    const struct map_cell* cell = map_cell(&args[0]);
    for (uint64_t i = 0; i < cell->size && i < 4; ++i) {
      if (is_container(cell->data[2 * i].type_index)) keys[num_keys++] = cell->data[2 * i].v_obj;
    }
  }
  int code = call_original(original, args, num_args, result);
  if (code == 0 && is_candidate && !is_small(map_cell(&args[0]))) {
    for (int i = 0; i < num_keys; ++i) real.TVMFFIObjectIncRef(keys[i]);
  }
  return code;
}

WRAPPED_GLOBAL("ffi.DictSetItem", set_item)
