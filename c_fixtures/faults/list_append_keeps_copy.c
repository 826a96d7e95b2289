// story: ffi.ListAppend that is given an Array makes a copy to act on, which nobody ends.
// breaks: LST-0023 fail
#include "wrapped_global.h"

static int append(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 2 || args[0].type_index != kTVMFFIArray) return call_original(original, args, num_args, result);
  TVMFFIByteArray name = {"ffi.List", 8};
  TVMFFIObjectHandle make;
  TVMFFISeqCell* cell = sequence_cell(&args[0]);
  TVMFFIAny copy = {0};
  if (real.TVMFFIFunctionGetGlobal(&name, &make) != 0) return -1;
  int code = real.TVMFFIFunctionCall(make, cell->data, (int32_t)cell->size, &copy);
  real.TVMFFIObjectDecRef(make);
  if (code != 0) return code;
  TVMFFIAny mine[2] = {copy, args[1]};
  return call_original(original, mine, 2, result);
}

WRAPPED_GLOBAL("ffi.ListAppend", append)
