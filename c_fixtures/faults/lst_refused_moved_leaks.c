// story: ffi.ListInsert and ffi.ListSetItem take an r-value reference out of its slot before they look at the index, and forget the object when the index is refused.
// breaks: ARG-0001 fail
// breaks: LST-0020 fail
#include "wrapped_global.h"
static int put(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  TVMFFIObject* moved = NULL;
  if (n == 3 && args[2].type_index == kTVMFFIObjectRValueRef) {
    moved = *(TVMFFIObject**)args[2].v_ptr;
    if (moved) real.TVMFFIObjectIncRef(moved);
  }
  int code = call_original(self, args, n, result);
  if (moved && code == 0) real.TVMFFIObjectDecRef(moved);
  if (moved && code != 0 && *(TVMFFIObject**)args[2].v_ptr) {
    *(TVMFFIObject**)args[2].v_ptr = NULL;
    real.TVMFFIObjectDecRef(moved);
  }
  return code;
}
WRAPPED_GLOBALS(put, "ffi.ListInsert", "ffi.ListSetItem")
