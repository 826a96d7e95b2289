// story: A short text that is stored inline is neither less than or equal to the same text in an object, nor greater or equal.
// breaks: REC-0007 fail
#include "wrapped_global.h"

static int compare(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0) return code;
  int32_t low = args[0].type_index < args[1].type_index ? 0 : 1;
  const TVMFFIAny *small = &args[low], *heap = &args[1 - low];
  if ((small->type_index != kTVMFFISmallStr || heap->type_index != kTVMFFIStr) &&
      (small->type_index != kTVMFFISmallBytes || heap->type_index != kTVMFFIBytes)) {
    return 0;
  }
  const TVMFFIByteArray* text = (const TVMFFIByteArray*)(heap->v_obj + 1);
  if (text->size == small->small_str_len && memcmp(text->data, small->v_bytes, text->size) == 0) result->v_int64 = 0;
  return 0;
}

WRAPPED_GLOBALS(compare, "ffi.RecursiveLe", "ffi.RecursiveGe")
