// story: An Error that a native `__any_equal__` hook answers is raised with a reference of its own, and the one that it was answered with is lost.
// breaks: HSH-0016 fail
#include "wrapped_global.h"

static int is_native(int32_t type_index) {
  const TVMFFIByteArray name = {"__any_equal__", 13};
  const TVMFFITypeAttrColumn* column = real.TVMFFIGetTypeAttrColumn(&name);
  const int32_t place = type_index - column->begin_index;
  return type_index >= kTVMFFIDynObjectBegin && place < column->size && column->data[place].type_index == kTVMFFIOpaquePtr;
}
static int search(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0 || num_args < 2 || !is_native(args[1].type_index)) return code;
  TVMFFIObjectHandle error = NULL;
  real.TVMFFIErrorMoveFromRaised(&error);
  real.TVMFFIErrorSetRaised(error);
  const TVMFFIByteArray* kind = (const TVMFFIByteArray*)((TVMFFIObject*)error + 1);
  if (is(kind, "KeyError") || is(kind, "TypeError")) real.TVMFFIObjectDecRef(error);
  return code;
}
WRAPPED_GLOBALS(search, "ffi.MapGetItem", "ffi.DictGetItem", "ffi.MapCount", "ffi.DictCount", "ffi.ListContains", "ffi.ArrayContains")
