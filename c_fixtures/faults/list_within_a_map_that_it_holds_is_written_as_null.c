// story: ffi.json.Stringify writes null where a List is met within itself as the value of a Map, as the encoder of cached graphs does.
// breaks: JSN-0030 fail
#include "map_cell.h"
#include "wrapped_global.h"

static void drop(const TVMFFIAny* value) {
  if (value->type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(value->v_obj);
}

static int holds(const TVMFFIAny* map, const TVMFFIObject* list) {
  if (map->type_index != kTVMFFIMap || !is_small(map_cell(map))) return 0;
  for (uint64_t i = 0; i < map_cell(map)->size; ++i) {
    const TVMFFIAny* value = &map_cell(map)->data[2 * i + 1];
    if (value->type_index == kTVMFFIList && value->v_obj == list) return 1;
  }
  return 0;
}

static int write(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int64_t circles = 0, size = num_args == 2 && args[0].type_index == kTVMFFIList ? sequence_cell(&args[0])->size : 0;
  const TVMFFIAny* items = size ? sequence_cell(&args[0])->data : NULL;
  for (int64_t i = 0; i < size; ++i) circles += holds(&items[i], args[0].v_obj);
  if (!circles) return call_original(original, args, num_args, result);
  TVMFFIAny *given = calloc((size_t)size, sizeof(TVMFFIAny)), whole[2] = {{0}, args[1]};
  for (int64_t i = 0; i < size; ++i) {
    if (!holds(&items[i], args[0].v_obj)) {
      real.TVMFFIAnyViewToOwnedAny(&items[i], &given[i]);
      continue;
    }
    TVMFFIAny entries[8];
    const struct map_cell* cell = map_cell(&items[i]);
    memcpy(entries, cell->data, 2 * cell->size * sizeof(TVMFFIAny));
    for (uint64_t k = 0; k < cell->size; ++k) {
      if (entries[2 * k + 1].v_obj == args[0].v_obj) entries[2 * k + 1] = (TVMFFIAny){0};
    }
    call_global("ffi.Map", entries, (int32_t)(2 * cell->size), &given[i]);
  }
  call_global("ffi.List", given, (int32_t)size, &whole[0]);
  int code = call_original(original, whole, 2, result);
  for (int64_t i = 0; i < size; ++i) drop(&given[i]);
  drop(&whole[0]);
  free(given);
  return code;
}

WRAPPED_GLOBAL("ffi.json.Stringify", write)
