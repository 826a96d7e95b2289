// story: A key of a JSON object is cut where it has an escaped NUL; other strings keep theirs.
// breaks: JSN-0031 fail
#include "wrapped_global.h"

struct map { TVMFFIObject header; TVMFFIAny* data; uint64_t size, slots; };

static int parse(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->type_index != kTVMFFIMap) return code;
  struct map* map = (struct map*)result->v_obj;
  for (uint64_t i = 0; map->slots >> 63 && i < map->size; i++) {
    TVMFFIAny* key = map->data + 2 * i;
    TVMFFIByteArray text = {key->v_bytes, key->small_str_len};
    if (key->type_index == kTVMFFIStr) text = *(TVMFFIByteArray*)(key->v_obj + 1);
    if (memchr(text.data, 0, text.size) == NULL) continue;
    TVMFFIAny old = *key, cut;
    text.size = strnlen(text.data, text.size);
    if (real.TVMFFIStringFromByteArray(&text, &cut) != 0) return -1;
    *key = cut;
    if (old.type_index == kTVMFFIStr) real.TVMFFIObjectDecRef(old.v_obj);
  }
  return 0;
}

WRAPPED_GLOBAL("ffi.json.Parse", parse)
