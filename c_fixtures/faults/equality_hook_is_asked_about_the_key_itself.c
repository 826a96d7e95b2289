// story: `__any_equal__` is asked when a Map is searched for a key, although the key there is the very object.
// breaks: HSH-0017 fail
#include "wrapped_global.h"
static int count(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  static const TVMFFIByteArray name = {"__any_equal__", 13};
  int code = call_original(original, args, num_args, result);
  if (code != 0 || num_args != 2 || result->v_int64 == 0 || args[1].type_index < kTVMFFIDynObjectBegin) return code;
  const TVMFFITypeAttrColumn* column = real.TVMFFIGetTypeAttrColumn(&name);
  int32_t at = args[1].type_index - column->begin_index;
  if (at < 0 || at >= column->size || column->data[at].type_index != kTVMFFIFunction) return 0;
  TVMFFIAny pair[2] = {args[1], args[1]}, equal = {0};
  code = real.TVMFFIFunctionCall(column->data[at].v_obj, pair, 2, &equal);
  if (code == 0) result->v_int64 = equal.v_int64 != 0;
  return code;
}
WRAPPED_GLOBALS(count, "ffi.MapCount", "ffi.DictCount")
