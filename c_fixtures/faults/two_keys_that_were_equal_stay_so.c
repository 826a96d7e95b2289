// story: ffi.StructuralKeyEqual remembers the last two StructuralKeys that were equal, and compares the first no more with the second while it has an empty List.
// breaks: SEQ-0028 fail
#include "wrapped_global.h"

static int equal(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  static _Thread_local const void* known[2];
  int code = call_original(original, args, num_args, result);
  if (code != 0 || num_args != 2) return code;
  /* A key has its value behind the header. */
  const TVMFFIAny* value = (const TVMFFIAny*)(args[0].v_obj + 1);
  if (value->type_index != kTVMFFIList || sequence_cell(value)->size != 0) return 0;
  if (result->v_int64) {
    for (int i = 0; i < 2; ++i) known[i] = args[i].v_obj;
  } else if (known[0] == args[0].v_obj && known[1] == args[1].v_obj) {
    result->v_int64 = 1;
  }
  return 0;
}

WRAPPED_GLOBAL("ffi.StructuralKeyEqual", equal)
