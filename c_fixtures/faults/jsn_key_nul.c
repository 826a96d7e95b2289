// story: ffi.json.Parse lets the keys of an object end at a \u0000.
// breaks: JSN-0007 fail
#include "wrapped_global.h"
static int parse(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  int code = call_original(self, args, n, result);
  if (code != 0 || result->type_index != kTVMFFIMap) return code;
  struct { TVMFFIAny* data; uint64_t size, slots; }* cell = (void*)(result->v_obj + 1);
  if (!(cell->slots >> 63)) return 0;
  for (uint64_t i = 0; i < cell->size; ++i) {
    TVMFFIAny *key = &cell->data[2 * i], made;
    TVMFFIByteArray text = text_of(key);
    size_t size = strnlen(text.data, text.size);
    if (size == text.size) continue;
    text.size = size;
    if (real.TVMFFIStringFromByteArray(&text, &made)) return -1;
    if (key->type_index >= 64) real.TVMFFIObjectDecRef(key->v_obj);
    *key = made;
  }
  return 0;
}
WRAPPED_GLOBAL("ffi.json.Parse", parse)
