// story: A name in a JSON object ends at an escaped NUL, which a string value keeps.
// breaks: JSN-0007 fail
#include "wrapped_global.h"
static int parse(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->type_index != kTVMFFIMap) return code;
  size_t size = ((uint64_t*)(result->v_obj + 1))[1], any = 0;
  TVMFFIAny walk = {0}, rebuilt = {0}, *pairs = calloc(size + 1, 2 * sizeof(TVMFFIAny));
  if (size == 0 || call_global("ffi.MapForwardIterFunctor", result, 1, &walk) != 0) { free(pairs); return 0; }
  for (size_t i = 0; i < size; ++i) {
    for (int ask = 0; ask < 3; ++ask) {
      TVMFFIAny command = {.type_index = kTVMFFIInt}, more = {0};
      command.v_int64 = ask;
      real.TVMFFIFunctionCall(walk.v_obj, &command, 1, ask < 2 ? &pairs[2 * i + ask] : &more);
    }
    TVMFFIAny* key = &pairs[2 * i];
    TVMFFIByteArray text = text_of(key), cut = {text.data, strnlen(text.data, text.size)};
    if (cut.size == text.size) continue;
    TVMFFIAny old = *key;
    if (old.type_index == kTVMFFISmallStr) cut.data = old.v_bytes;
    *key = (TVMFFIAny){0};
    real.TVMFFIStringFromByteArray(&cut, key);
    if (old.type_index == kTVMFFIStr) real.TVMFFIObjectDecRef(old.v_obj);
    any = 1;
  }
  if (any && call_global("ffi.Map", pairs, (int32_t)(2 * size), &rebuilt) == 0) {
    real.TVMFFIObjectDecRef(walk.v_obj);
    walk = *result;
    *result = rebuilt;
  }
  real.TVMFFIObjectDecRef(walk.v_obj);
  for (size_t i = 0; i < 2 * size; ++i) if (pairs[i].type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(pairs[i].v_obj);
  free(pairs);
  return 0;
}
WRAPPED_GLOBAL("ffi.json.Parse", parse)
