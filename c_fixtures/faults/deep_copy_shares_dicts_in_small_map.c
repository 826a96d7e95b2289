// story: ffi.DeepCopy of a small Map puts the very Dicts that are values of the original into the copy.
// breaks: REC-0016 fail
#include "wrapped_global.h"

struct map { TVMFFIObject header; TVMFFIAny* data; uint64_t size, slots; };

static int copy(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->type_index != kTVMFFIMap || args[0].type_index != kTVMFFIMap || args[0].v_obj == result->v_obj) return code;
  struct map* from = (struct map*)args[0].v_obj;
  struct map* to = (struct map*)result->v_obj;
  if (!(from->slots >> 63) || !(to->slots >> 63) || from->size != to->size) return code;
  for (uint64_t i = 0; i < to->size; ++i) {
    TVMFFIAny* value = &to->data[2 * i + 1];
    TVMFFIAny* former = &from->data[2 * i + 1];
    if (value->type_index != kTVMFFIDict || former->type_index != kTVMFFIDict) continue;
    real.TVMFFIObjectIncRef(former->v_obj);
    real.TVMFFIObjectDecRef(value->v_obj);
    *value = *former;
  }
  return 0;
}

WRAPPED_GLOBAL("ffi.DeepCopy", copy)
