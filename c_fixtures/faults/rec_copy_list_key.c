// story: ffi.DeepCopy copies the values of a Map or a Dict and shares a List that is a key.
// breaks: REC-0016 fail
#include "wrapped_global.h"
typedef struct { TVMFFIAny* data; uint64_t size, slots; } Cell;
static int copy(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  int code = call_original(self, args, n, result);
  if (code != 0 || (result->type_index != kTVMFFIMap && result->type_index != kTVMFFIDict) || result->v_obj == args[0].v_obj) return code;
  Cell *from = (Cell*)(args[0].v_obj + 1), *to = (Cell*)(result->v_obj + 1);
  if (!(from->slots >> 63) || !(to->slots >> 63) || from->size != to->size) return 0;
  for (uint64_t i = 0; i < to->size; ++i) {
    TVMFFIAny *old = &from->data[2 * i], *key = &to->data[2 * i];
    if (old->type_index != kTVMFFIList || old->v_obj == key->v_obj) continue;
    real.TVMFFIObjectIncRef(old->v_obj);
    real.TVMFFIObjectDecRef(key->v_obj);
    *key = *old;
  }
  return 0;
}
WRAPPED_GLOBAL("ffi.DeepCopy", copy)
