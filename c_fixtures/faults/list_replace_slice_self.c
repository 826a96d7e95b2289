// story: ffi.ListReplaceSlice that is given the List itself takes the range out first, and then puts in what is left.
// breaks: LST-0012 fail
#include "wrapped_global.h"

static int replace(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 4 || args[0].type_index != kTVMFFIList || args[3].type_index != kTVMFFIList ||
      args[0].v_obj != args[3].v_obj)
    return call_original(original, args, num_args, result);
  TVMFFIByteArray name = {"ffi.ListEraseRange", 18};
  TVMFFIObjectHandle erase;
  if (real.TVMFFIFunctionGetGlobal(&name, &erase) != 0) return -1;
  int code = real.TVMFFIFunctionCall(erase, (TVMFFIAny*)args, 3, result);
  real.TVMFFIObjectDecRef(erase);
  if (code != 0) return code;
  TVMFFIAny mine[4] = {args[0], args[1], args[1], args[3]};
  return call_original(original, mine, 4, result);
}

WRAPPED_GLOBAL("ffi.ListReplaceSlice", replace)
