// story: ffi.MapCount and ffi.MapGetItem make a String of a key that they are given as a byte array, where ffi.Map makes Bytes.
// breaks: MAP-0004 fail
#include "wrapped_global.h"

static int look(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 2 || args[1].type_index != kTVMFFIByteArrayPtr) return call_original(original, args, num_args, result);
  TVMFFIAny changed[2] = {args[0], {0}};
  if (real.TVMFFIStringFromByteArray(args[1].v_ptr, &changed[1]) != 0) return -1;
  int code = call_original(original, changed, 2, result);
  if (changed[1].type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(changed[1].v_obj);
  return code;
}

WRAPPED_GLOBALS(look, "ffi.MapCount", "ffi.MapGetItem")
