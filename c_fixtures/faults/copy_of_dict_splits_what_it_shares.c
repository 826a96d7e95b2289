// story: In the deep copy of a small Dict a List that is the value of two keys has become two Lists.
// breaks: REC-0017 fail
#include "wrapped_global.h"

static int copy(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->type_index != kTVMFFIDict) return code;
  struct {
    TVMFFIAny* entries;
    uint64_t size, slots;
  }* dict = (void*)(result->v_obj + 1);
  if (!(dict->slots >> 63)) return 0;
  for (uint64_t i = 1; i < dict->size && code == 0; ++i) {
    TVMFFIAny* value = &dict->entries[2 * i + 1];
    int shared = 0;
    for (uint64_t k = 0; k < i; ++k) shared |= value->type_index == kTVMFFIList && dict->entries[2 * k + 1].v_obj == value->v_obj;
    if (!shared || sequence_cell(value)->size == 0) continue;
    TVMFFIAny other = {0};
    code = call_original(original, value, 1, &other);
    if (code != 0) break;
    real.TVMFFIObjectDecRef(value->v_obj);
    *value = other;
  }
  return code;
}

WRAPPED_GLOBAL("ffi.DeepCopy", copy)
