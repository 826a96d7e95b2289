// story: Of two negative BigInts the one with more words is taken for the greater one.
// breaks: BIG-0022 fail
#include "wrapped_global.h"
typedef struct { TVMFFIObject h; size_t n; int64_t w[]; } Big;
static int order(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  if (n == 2 && args[0].type_index == kTVMFFIBigInt && args[1].type_index == kTVMFFIBigInt) {
    Big *a = (Big*)args[0].v_obj, *b = (Big*)args[1].v_obj;
    if (a->n != b->n && a->w[a->n - 1] < 0 && b->w[b->n - 1] < 0) {
      TVMFFIAny turned[2] = {args[1], args[0]};
      return call_original(self, turned, 2, result);
    }
  }
  return call_original(self, args, n, result);
}
WRAPPED_GLOBALS(order, "ffi.RecursiveLt", "ffi.RecursiveLe", "ffi.RecursiveGt", "ffi.RecursiveGe")
