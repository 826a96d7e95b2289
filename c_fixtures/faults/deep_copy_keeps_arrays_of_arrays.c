// story: ffi.DeepCopy answers an Array itself if none of its elements can change, and takes an Array among them for one that cannot, whatever is in it.
// breaks: REC-0016 fail
#include "wrapped_global.h"
static int deep_copy(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int fixed = num_args == 1 && args[0].type_index == kTVMFFIArray;
  for (int64_t i = 0; fixed && i < sequence_cell(&args[0])->size; ++i) {
    const int32_t type = ((const TVMFFIAny*)sequence_cell(&args[0])->data)[i].type_index;
    fixed = type < kTVMFFIStaticObjectBegin || type == kTVMFFIStr || type == kTVMFFIBytes || type == kTVMFFIShape || type == kTVMFFIArray;
  }
  if (!fixed) return call_original(original, args, num_args, result);
  real.TVMFFIObjectIncRef(args[0].v_obj);
  *result = args[0];
  return 0;
}
WRAPPED_GLOBAL("ffi.DeepCopy", deep_copy)
