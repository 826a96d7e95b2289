// story: Setting a key that a small Dict has puts the new, equal String in the place of the one that was there.
// breaks: DCT-0035 fail
#include "wrapped_global.h"

struct map { TVMFFIObject header; TVMFFIAny* data; uint64_t size, slots; };

static int set_item(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || args[0].type_index != kTVMFFIDict || args[1].type_index != kTVMFFIStr) return code;
  struct map* map = (struct map*)args[0].v_obj;
  if (!(map->slots >> 63)) return code;
  TVMFFIByteArray* text = (TVMFFIByteArray*)(args[1].v_obj + 1);
  for (uint64_t i = 0; i < map->size; ++i) {
    TVMFFIAny* key = &map->data[2 * i];
    if (key->type_index != kTVMFFIStr || key->v_obj == args[1].v_obj) continue;
    TVMFFIByteArray* other = (TVMFFIByteArray*)(key->v_obj + 1);
    if (other->size != text->size || memcmp(other->data, text->data, text->size) != 0) continue;
    TVMFFIObject* former = key->v_obj;
    real.TVMFFIObjectIncRef(args[1].v_obj);
    key->v_obj = args[1].v_obj;
    real.TVMFFIObjectDecRef(former);
  }
  return code;
}

WRAPPED_GLOBAL("ffi.DictSetItem", set_item)
