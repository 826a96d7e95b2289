// story: An entry of a Dict whose key is its value too gives up one reference to the object when it is erased, not two.
// breaks: DCT-0018 fail
#include "wrapped_global.h"
static int erase(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny value = {0}, count = {0};
  int same = 0;
  if (num_args == 2 && args[0].type_index == kTVMFFIDict && args[1].type_index >= kTVMFFIStaticObjectBegin &&
      call_global("ffi.DictCount", args, 2, &count) == 0 && count.v_int64 && call_global("ffi.DictGetItem", args, 2, &value) == 0) {
    same = value.v_obj == args[1].v_obj;
  }
  int code = call_original(original, args, num_args, result);
  if (value.type_index >= kTVMFFIStaticObjectBegin && !(same && code == 0)) real.TVMFFIObjectDecRef(value.v_obj);
  return code;
}
WRAPPED_GLOBAL("ffi.DictErase", erase)
