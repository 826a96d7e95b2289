// story: ffi.DictClear that is given a small Map empties the Map itself and not a copy.
// breaks: DCT-0021 fail
#include "wrapped_global.h"

struct map { TVMFFIObject header; TVMFFIAny* data; uint64_t size, slots; };

static int clear(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 1 && args[0].type_index == kTVMFFIMap) {
    struct map* map = (struct map*)args[0].v_obj;
    if (map->slots >> 63) {
      uint64_t size = map->size;
      map->size = 0;
      for (uint64_t i = 0; i < 2 * size; i++)
        if (map->data[i].type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(map->data[i].v_obj);
      *result = (TVMFFIAny){0};
      return 0;
    }
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.DictClear", clear)
