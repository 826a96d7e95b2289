// story: A borrowed byte array that is looked up in a Map is made a String, by the helper for names: it finds the String of its content and not the Bytes.
// breaks: MAP-0004 fail
#include "wrapped_global.h"
static int look(void* original, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  if (n != 2 || args[1].type_index != kTVMFFIByteArrayPtr || args[0].type_index != kTVMFFIMap) return call_original(original, args, n, result);
  TVMFFIAny changed[2] = {args[0], {0}};
  int code = real.TVMFFIStringFromByteArray(args[1].v_ptr, &changed[1]);
  if (code == 0) code = call_original(original, changed, 2, result);
  if (changed[1].type_index == kTVMFFIStr) real.TVMFFIObjectDecRef(changed[1].v_obj);
  return code;
}
WRAPPED_GLOBALS(look, "ffi.MapCount", "ffi.MapGetItem", "ffi.MapGetItemOrMissing")
