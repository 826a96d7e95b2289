// story: An Array releases its elements when its memory is freed, which weak references put off.
// breaks: ARR-0010 fail
#include "wrapped_global.h"

static void (*original_end)(void*, int);

static void end(void* self, int flags) {
  if (flags == kTVMFFIObjectDeleterFlagBitMaskStrong) return;
  __atomic_load_n(&original_end, __ATOMIC_ACQUIRE)(self, kTVMFFIObjectDeleterFlagBitMaskBoth);
}

static int make(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->type_index != kTVMFFIArray || (uint32_t)result->v_obj->combined_ref_count != 1) return code;
  if (result->v_obj->deleter == end) return 0;
  __atomic_store_n(&original_end, result->v_obj->deleter, __ATOMIC_RELEASE);
  result->v_obj->deleter = end;
  return 0;
}

WRAPPED_GLOBAL("ffi.Array", make)
