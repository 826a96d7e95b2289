// story: A deep copy of a Dict has copies of its values, but the very keys: a List that is a key is shared.
// breaks: REC-0016 fail
#include "wrapped_global.h"

struct map { TVMFFIObject header; TVMFFIAny* data; uint64_t size, slots; };

static int deep_copy(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->type_index != kTVMFFIDict) return code;
  const struct map *from = (const struct map*)args[0].v_obj, *to = (const struct map*)result->v_obj;
  for (uint64_t i = 0; to->slots >> 63 && from->slots >> 63 && i < to->size; i++) {
    const TVMFFIAny *key = from->data + 2 * i;
    if (key->type_index != kTVMFFIList || to->data[2 * i].v_obj == key->v_obj) continue;
    real.TVMFFIObjectDecRef(to->data[2 * i].v_obj);
    real.TVMFFIObjectIncRef(key->v_obj);
    to->data[2 * i] = *key;
  }
  return 0;
}

WRAPPED_GLOBAL("ffi.DeepCopy", deep_copy)
