// story: The structural hash of an Array of four elements is kept with its address, and not computed again for another that lies there when the first has ended.
// breaks: SEQ-0007 fail
#include "wrapped_global.h"
static int hash(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  static __thread void* array;
  static __thread int64_t flags;
  static __thread TVMFFIAny kept;
  if (num_args != 3 || args[0].type_index != kTVMFFIArray || sequence_cell(args)->size != 4) {
    return call_original(original, args, num_args, result);
  }
  const int64_t asked = 2 * (args[1].v_int64 != 0) + (args[2].v_int64 != 0);
  if (array == args[0].v_obj && flags == asked) {
    *result = kept;
    return 0;
  }
  int code = call_original(original, args, num_args, result);
  if (code != 0) return code;
  array = args[0].v_obj;
  flags = asked;
  kept = *result;
  return 0;
}
WRAPPED_GLOBAL("ffi.StructuralHash", hash)
