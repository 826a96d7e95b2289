// story: ffi.ContainerFindFirstNonCPUDevice looks at the first sixteen elements of an Array or a List alone.
// breaks: CNT-0004 fail
#include "wrapped_global.h"

static int find(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 1 || (args[0].type_index != kTVMFFIArray && args[0].type_index != kTVMFFIList)) {
    return call_original(original, args, num_args, result);
  }
  TVMFFISeqCell* cell = sequence_cell(&args[0]);
  if (cell->size <= 16) return call_original(original, args, num_args, result);
  TVMFFIAny few = {.type_index = kTVMFFINone};
  int code = call_global("ffi.Array", cell->data, 16, &few);
  if (code == 0) code = call_original(original, &few, 1, result);
  if (few.type_index == kTVMFFIArray) real.TVMFFIObjectDecRef(few.v_obj);
  return code;
}

WRAPPED_GLOBAL("ffi.ContainerFindFirstNonCPUDevice", find)
