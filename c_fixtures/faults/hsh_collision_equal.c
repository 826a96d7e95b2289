// story: Looking up a text in a Map or Dict compares length and hash only: another text of the same length whose 31-bit hash is the same is taken for it.
// breaks: HSH-0006 fail
#include "text_hash.h"
#include "wrapped_global.h"
static int look_up(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int kind = num_args == 2 ? args[0].type_index : 0;
  if ((kind != kTVMFFIMap && kind != kTVMFFIDict) || text_of(&args[1]).size < 8) return call_original(original, args, num_args, result);
  uint64_t size = ((uint64_t*)(args[0].v_obj + 1))[1];
  TVMFFIByteArray wanted = text_of(&args[1]);
  TVMFFIAny walk = {0}, other = {0};
  if (size == 0 || size > 200 || call_global(kind == kTVMFFIMap ? "ffi.MapForwardIterFunctor" : "ffi.DictForwardIterFunctor", args, 1, &walk) != 0) return call_original(original, args, num_args, result);
  for (int found = 0;;) {
    TVMFFIAny ask = {.type_index = kTVMFFIInt}, key = {0}, more = {0};
    real.TVMFFIFunctionCall(walk.v_obj, &ask, 1, &key);
    TVMFFIByteArray text = text_of(&key);
    if (!found && key.type_index == kTVMFFIStr && text.size == wanted.size && hash_of(text) == hash_of(wanted)) { other = key; found = 1; }
    else if (key.type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(key.v_obj);
    ask.v_int64 = 2;
    real.TVMFFIFunctionCall(walk.v_obj, &ask, 1, &more);
    if (!more.v_int64) break;
  }
  real.TVMFFIObjectDecRef(walk.v_obj);
  TVMFFIAny changed[2] = {args[0], other.type_index ? other : args[1]};
  int code = call_original(original, changed, 2, result);
  if (other.type_index) real.TVMFFIObjectDecRef(other.v_obj);
  return code;
}
WRAPPED_GLOBALS(look_up, "ffi.MapCount", "ffi.MapGetItem", "ffi.DictCount", "ffi.DictGetItem")
