// story: ffi.ToJSONGraph and ffi.ToJSONGraphString leave metadata out that is false, zero or an empty text.
// breaks: GRF-0011 fail
#include "wrapped_global.h"
static int write_graph(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  if (n == 2) {
    const TVMFFIAny* m = &args[1];
    int empty = ((m->type_index == kTVMFFIBool || m->type_index == kTVMFFIInt) && m->v_int64 == 0) || (m->type_index == kTVMFFISmallStr && m->small_str_len == 0) || (m->type_index == kTVMFFIRawStr && !*m->v_c_str);
    if (empty) {
      TVMFFIAny own[2] = {args[0], {0}};
      return call_original(self, own, 2, result);
    }
  }
  return call_original(self, args, n, result);
}
WRAPPED_GLOBALS(write_graph, "ffi.ToJSONGraph", "ffi.ToJSONGraphString")
