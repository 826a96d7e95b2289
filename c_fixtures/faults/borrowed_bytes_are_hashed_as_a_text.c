// story: ffi.RecursiveHash of a borrowed byte array is that of a String with these bytes, not of the Bytes.
// breaks: REC-0011 fail
#include "wrapped_global.h"
static int hash(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny text = {0};
  if (num_args != 1 || args[0].type_index != kTVMFFIByteArrayPtr || real.TVMFFIStringFromByteArray(args[0].v_ptr, &text) != 0)
    return call_original(original, args, num_args, result);
  int code = call_original(original, &text, 1, result);
  if (text.type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(text.v_obj);
  return code;
}
WRAPPED_GLOBAL("ffi.RecursiveHash", hash)
