// story: ffi.DictErase takes a key of Bytes for one that ends at its first NUL, and erases that key.
// breaks: HSH-0006 fail
// breaks: DCT-0004 fail
#include "wrapped_global.h"
static int take(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  if (n == 2 && (args[1].type_index == kTVMFFIByteArrayPtr || args[1].type_index == kTVMFFIBytes || args[1].type_index == kTVMFFISmallBytes)) {
    TVMFFIByteArray text = args[1].type_index == kTVMFFIBytes ? *(TVMFFIByteArray*)(args[1].v_obj + 1) : args[1].type_index == kTVMFFISmallBytes ? (TVMFFIByteArray){args[1].v_bytes, args[1].small_str_len} : *(TVMFFIByteArray*)args[1].v_ptr;
    text.size = strnlen(text.data, text.size);
    TVMFFIAny own[2] = {args[0], {.type_index = kTVMFFIByteArrayPtr, .v_ptr = &text}};
    return call_original(self, own, 2, result);
  }
  return call_original(self, args, n, result);
}
WRAPPED_GLOBAL("ffi.DictErase", take)
