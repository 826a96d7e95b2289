// story: ffi.DeepCopy of a Dict copies each value with a memo of its own, so a List that is the value of two keys is two Lists in the copy.
// breaks: REC-0017 fail
#include "wrapped_global.h"
static int copy(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->type_index != kTVMFFIDict) return code;
  size_t size = ((uint64_t*)(result->v_obj + 1))[1];
  if (size < 2 || size > 100) return 0;
  TVMFFIAny walk = {0}, *pairs = calloc(size, 2 * sizeof(TVMFFIAny));
  if (call_global("ffi.DictForwardIterFunctor", result, 1, &walk) != 0) { free(pairs); return 0; }
  for (size_t i = 0; i < size; ++i) {
    for (int ask = 0; ask < 3; ++ask) {
      TVMFFIAny command = {.type_index = kTVMFFIInt}, more = {0};
      command.v_int64 = ask;
      real.TVMFFIFunctionCall(walk.v_obj, &command, 1, ask < 2 ? &pairs[2 * i + ask] : &more);
    }
  }
  real.TVMFFIObjectDecRef(walk.v_obj);
  for (size_t i = 1; i < size; ++i) {
    for (size_t j = 0; j < i; ++j) {
      TVMFFIAny *value = &pairs[2 * i + 1], again = {0}, none = {0};
      if (value->type_index != kTVMFFIList || value->v_obj != pairs[2 * j + 1].v_obj) continue;
      if (call_original(original, value, 1, &again) != 0) break;
      TVMFFIAny set[3] = {*result, pairs[2 * i], again};
      call_global("ffi.DictSetItem", set, 3, &none);
      real.TVMFFIObjectDecRef(again.v_obj);
      break;
    }
  }
  for (size_t i = 0; i < 2 * size; ++i) if (pairs[i].type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(pairs[i].v_obj);
  free(pairs);
  return 0;
}
WRAPPED_GLOBAL("ffi.DeepCopy", copy)
