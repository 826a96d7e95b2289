// story: The keys of a JSON object are kept as C strings, so an escaped NUL in one ends it; strings elsewhere keep theirs.
// breaks: JSN-0007 fail
#include "wrapped_global.h"
static int parse(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->type_index != kTVMFFIMap) return code;
  const int64_t size = *(int64_t*)((char*)result->v_obj + 32);
  TVMFFIAny* entries = calloc((size_t)size * 2 + 1, sizeof(*entries));
  TVMFFIAny walk = {0}, more = {0}, made = {0};
  int cut = 0;
  if (call_global("ffi.MapForwardIterFunctor", result, 1, &walk) != 0) return -1;
  for (int64_t i = 0; i < size; ++i) {
    TVMFFIAny what = {.type_index = kTVMFFIInt};
    call_original(walk.v_obj, &what, 1, &entries[2 * i]);
    what.v_int64 = 1;
    call_original(walk.v_obj, &what, 1, &entries[2 * i + 1]);
    what.v_int64 = 2;
    call_original(walk.v_obj, &what, 1, &more);
    const TVMFFIByteArray key = text_of(&entries[2 * i]);
    const size_t length = strnlen(key.data, key.size);
    if (length == key.size) continue;
    const TVMFFIByteArray shorter = {key.data, length};
    TVMFFIAny old = entries[2 * i], other = {0};
    real.TVMFFIStringFromByteArray(&shorter, &other);
    entries[2 * i] = other;
    if (old.type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(old.v_obj);
    cut = 1;
  }
  real.TVMFFIObjectDecRef(walk.v_obj);
  if (cut && call_global("ffi.Map", entries, (int32_t)size * 2, &made) == 0) {
    real.TVMFFIObjectDecRef(result->v_obj);
    *result = made;
  }
  for (int64_t i = 0; i < 2 * size; ++i) {
    if (entries[i].type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(entries[i].v_obj);
  }
  free(entries);
  return 0;
}
WRAPPED_GLOBAL("ffi.json.Parse", parse)
