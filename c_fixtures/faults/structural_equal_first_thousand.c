// story: ffi.StructuralEqual compares the first 1,024 elements of Arrays.
// breaks: SEQ-0003 fail
#include "wrapped_global.h"

static int equal(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 4 || args[0].type_index != kTVMFFIArray || args[1].type_index != kTVMFFIArray)
    return call_original(original, args, num_args, result);
  const TVMFFISeqCell *lhs = sequence_cell(&args[0]), *rhs = sequence_cell(&args[1]);
  if (lhs->size <= 1024 || lhs->size != rhs->size) return call_original(original, args, num_args, result);
  static const TVMFFIByteArray name = {"ffi.Array", 9};
  TVMFFIObjectHandle make = NULL;
  TVMFFIAny mine[4] = {{0}, {0}, args[2], args[3]};
  if (real.TVMFFIFunctionGetGlobal(&name, &make) != 0) return -1;
  int code = real.TVMFFIFunctionCall(make, lhs->data, 1024, &mine[0]);
  if (code == 0) code = real.TVMFFIFunctionCall(make, rhs->data, 1024, &mine[1]);
  if (code == 0) code = call_original(original, mine, 4, result);
  for (int i = 0; i < 2; i++)
    if (mine[i].type_index == kTVMFFIArray) real.TVMFFIObjectDecRef(mine[i].v_obj);
  real.TVMFFIObjectDecRef(make);
  return code;
}

WRAPPED_GLOBAL("ffi.StructuralEqual", equal)
