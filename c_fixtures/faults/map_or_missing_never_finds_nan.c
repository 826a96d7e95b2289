// story: ffi.MapGetItemOrMissing compares floats as numbers and so answers that a NaN is missing, although the Map has it.
// breaks: HSH-0009 fail
// breaks: MAP-0006 fail
#include "wrapped_global.h"

static int get(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 2 || args[0].type_index != kTVMFFIMap || args[1].type_index != kTVMFFIFloat || args[1].v_float64 == args[1].v_float64) {
    return call_original(original, args, num_args, result);
  }
  TVMFFIObjectHandle missing;
  int code = real.TVMFFIFunctionGetGlobal(&(TVMFFIByteArray){"ffi.GetInvalidObject", 20}, &missing);
  if (code != 0) return code;
  code = real.TVMFFIFunctionCall(missing, NULL, 0, result);
  real.TVMFFIObjectDecRef(missing);
  return code;
}

WRAPPED_GLOBAL("ffi.MapGetItemOrMissing", get)
