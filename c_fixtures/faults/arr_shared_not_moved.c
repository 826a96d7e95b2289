// story: ffi.Array takes an r-value reference as a borrowed object, keeps a reference of its own and leaves the caller's slot filled, where the object is held elsewhere too.
// breaks: ARG-0007 fail
// breaks: ARR-0007 fail
#include "wrapped_global.h"
static int make(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  TVMFFIAny own[32];
  if (n > 32) return call_original(self, args, n, result);
  for (int i = 0; i < n; ++i) {
    own[i] = args[i];
    if (args[i].type_index != kTVMFFIObjectRValueRef) continue;
    TVMFFIObject* held = *(TVMFFIObject**)args[i].v_ptr;
    if (held && (uint32_t)__atomic_load_n(&held->combined_ref_count, __ATOMIC_RELAXED) > 1) own[i] = (TVMFFIAny){.type_index = held->type_index, .v_obj = held};
  }
  return call_original(self, own, n, result);
}
WRAPPED_GLOBAL("ffi.Array", make)
