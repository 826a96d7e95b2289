// story: Reading a JSON graph takes one reference too many to an object that is a value of a Map twice.
// breaks: GRF-0023 leak
// breaks: GRF-0024 fail
#include "wrapped_global.h"

struct map { TVMFFIObject header; TVMFFIAny* data; uint64_t size, slots; };

static int from_graph(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->type_index != kTVMFFIMap) return code;
  const struct map* map = (const struct map*)result->v_obj;
  if (!(map->slots >> 63)) return 0;
  for (uint64_t i = 1; i < map->size; i++) {
    const TVMFFIAny *one = map->data + 2 * i - 1, *other = map->data + 2 * i + 1;
    if (one->type_index >= kTVMFFIStaticObjectBegin && one->v_obj == other->v_obj) real.TVMFFIObjectIncRef(one->v_obj);
  }
  return 0;
}

WRAPPED_GLOBAL("ffi.FromJSONGraphString", from_graph)
