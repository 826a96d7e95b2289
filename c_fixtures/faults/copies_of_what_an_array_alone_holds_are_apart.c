// story: ffi.DeepCopy of an Array that holds one List twice, which nobody else holds, has two Lists.
// breaks: REC-0017 fail
#include "wrapped_global.h"

static int copy(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 1 || args[0].type_index != kTVMFFIArray || sequence_cell(&args[0])->size != 2)
    return call_original(original, args, num_args, result);
  const TVMFFIAny* elements = sequence_cell(&args[0])->data;
  const int is_twice = elements[0].type_index == kTVMFFIList && elements[0].v_obj == elements[1].v_obj;
  if (!is_twice || (uint32_t)elements[0].v_obj->combined_ref_count != 2) return call_original(original, args, num_args, result);
  TVMFFIAny copies[2] = {{0}, {0}};
  int code = call_original(original, &elements[0], 1, &copies[0]);
  if (code == 0) code = call_original(original, &elements[1], 1, &copies[1]);
  if (code == 0) code = call_global("ffi.Array", copies, 2, result);
  for (int i = 0; i < 2; ++i)
    if (copies[i].type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(copies[i].v_obj);
  return code;
}

WRAPPED_GLOBAL("ffi.DeepCopy", copy)
