// story: ffi.MapCount and ffi.DictCount look a key up that is given as an r-value reference, but leave it in the caller's slot.
// breaks: ARG-0007 fail
#include "wrapped_global.h"
static int count(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  if (n == 2 && args[1].type_index == kTVMFFIObjectRValueRef && *(TVMFFIObject**)args[1].v_ptr) {
    TVMFFIObject* key = *(TVMFFIObject**)args[1].v_ptr;
    TVMFFIAny own[2] = {args[0], {.type_index = key->type_index, .v_obj = key}};
    return call_original(self, own, 2, result);
  }
  return call_original(self, args, n, result);
}
WRAPPED_GLOBALS(count, "ffi.MapCount", "ffi.DictCount")
