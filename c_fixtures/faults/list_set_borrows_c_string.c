// story: ffi.ListSetItem keeps of a long C string a String that points to the caller's characters.
// breaks: ARG-0008 fail
#include "wrapped_global.h"

static int set_item(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 3 || args[2].type_index != kTVMFFIRawStr || !args[2].v_c_str || strlen(args[2].v_c_str) < 64)
    return call_original(original, args, num_args, result);
  TVMFFIAny own, mine[3] = {args[0], args[1]};
  int code = real.TVMFFIAnyViewToOwnedAny(&args[2], &own);
  if (code != 0) return code;
  ((TVMFFIByteArray*)(own.v_obj + 1))->data = args[2].v_c_str;
  mine[2] = own;
  code = call_original(original, mine, 3, result);
  real.TVMFFIObjectDecRef(own.v_obj);
  return code;
}

WRAPPED_GLOBAL("ffi.ListSetItem", set_item)
