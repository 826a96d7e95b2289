// story: ffi.DictSetItem keeps a DLTensor pointer as an opaque pointer where it replaces the value of a key that is there.
// breaks: DCT-0019 fail
#include "wrapped_global.h"
static int set(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny count = {0};
  if (num_args != 3 || args[2].type_index != kTVMFFIDLTensorPtr || args[0].type_index != kTVMFFIDict || args[1].type_index == kTVMFFIObjectRValueRef ||
      call_global("ffi.DictCount", args, 2, &count) != 0 || count.v_int64 == 0)
    return call_original(original, args, num_args, result);
  TVMFFIAny given[3] = {args[0], args[1], args[2]};
  given[2].type_index = kTVMFFIOpaquePtr;
  return call_original(original, given, 3, result);
}
WRAPPED_GLOBAL("ffi.DictSetItem", set)
