// story: A deep copy of a Dict has two copies of an object that is both a key and a value.
// breaks: REC-0017 fail
#include "wrapped_global.h"

struct map { TVMFFIObject header; TVMFFIAny* data; uint64_t size, slots; };

static int deep_copy(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->type_index != kTVMFFIDict) return code;
  const struct map* map = (const struct map*)result->v_obj;
  for (uint64_t i = 0; map->slots >> 63 && i < map->size; i++) {
    TVMFFIAny *key = map->data + 2 * i, *value = key + 1;
    if (key->type_index != kTVMFFIList || key->v_obj != value->v_obj) continue;
    TVMFFIAny again = {0};
    if ((code = call_original(original, value, 1, &again)) != 0) return code;
    real.TVMFFIObjectDecRef(value->v_obj);
    *value = again;
  }
  return 0;
}

WRAPPED_GLOBAL("ffi.DeepCopy", deep_copy)
