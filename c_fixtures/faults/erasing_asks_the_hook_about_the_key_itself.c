// story: ffi.DictErase asks `__any_equal__` also about the very object that is the key, and leaves the entry if it says no.
// breaks: HSH-0017 fail
#include "wrapped_global.h"
static int erase(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  static const TVMFFIByteArray name = {"__any_equal__", 13};
  if (num_args == 2 && args[0].type_index == kTVMFFIDict && args[1].type_index >= kTVMFFIDynObjectBegin) {
    const TVMFFITypeAttrColumn* column = real.TVMFFIGetTypeAttrColumn(&name);
    int32_t at = args[1].type_index - column->begin_index;
    if (at >= 0 && at < column->size && column->data[at].type_index == kTVMFFIFunction) {
      TVMFFIAny pair[2] = {args[1], args[1]}, equal = {0};
      int code = real.TVMFFIFunctionCall(column->data[at].v_obj, pair, 2, &equal);
      if (code != 0 || equal.v_int64 == 0) return code;
    }
  }
  return call_original(original, args, num_args, result);
}
WRAPPED_GLOBAL("ffi.DictErase", erase)
