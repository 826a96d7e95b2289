// story: A structural map changes an Array in place when its strong count is one, whatever weak references there are to it.
// breaks: VIS-0019 fail
#include "wrapped_global.h"

static int map(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const uint64_t one_of_each = ((uint64_t)1 << 32) | 1;
  TVMFFIObject* array = NULL;
  if (num_args == 4 && args[0].type_index == kTVMFFIObjectRValueRef) array = *(TVMFFIObject**)args[0].v_ptr;
  if (array == NULL || array->type_index != kTVMFFIArray) return call_original(original, args, num_args, result);
  const uint64_t counts = array->combined_ref_count;
  if ((counts & 0xffffffff) != 1 || counts == one_of_each) return call_original(original, args, num_args, result);
  array->combined_ref_count = one_of_each;
  int code = call_original(original, args, num_args, result);
  /* What is not the answer has ended, and its memory with it. */
  if (code == 0 && result->v_obj == array) array->combined_ref_count += counts - one_of_each;
  return code;
}

WRAPPED_GLOBAL("ffi.StructuralMap", map)
