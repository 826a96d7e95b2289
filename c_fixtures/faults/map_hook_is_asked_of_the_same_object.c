// story: ffi.ArrayContains asks the hook for equality even about the very object that it was given.
// breaks: HSH-0017 fail
#include "wrapped_global.h"

static int contains(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIByteArray name = {"__any_equal__", 13};
  const TVMFFITypeAttrColumn* column = real.TVMFFIGetTypeAttrColumn(&name);
  if (num_args == 2 && column && args[1].type_index >= kTVMFFIDynObjectBegin) {
    int32_t place = args[1].type_index - column->begin_index;
    if (place >= 0 && place < column->size && column->data[place].type_index == kTVMFFIFunction) {
      const TVMFFIAny pair[2] = {args[1], args[1]};
      TVMFFIAny answer = {0};
      int code = real.TVMFFIFunctionCall(column->data[place].v_obj, (TVMFFIAny*)pair, 2, &answer);
      if (code != 0) return code;
    }
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.ArrayContains", contains)
