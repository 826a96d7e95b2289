// story: ffi.StructuralKeyEqual takes two keys of texts for one where their hashes are the same.
// breaks: SEQ-0028 fail
#include "wrapped_global.h"

/** What lies behind the header of a structural key. */
struct key_cell {
  TVMFFIAny key;
  int64_t hash;
};

static int is_text(const TVMFFIAny* value) {
  return value->type_index == kTVMFFISmallStr || value->type_index == kTVMFFIStr;
}

static int equal(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || num_args != 2) return code;
  const struct key_cell *left = (void*)(args[0].v_obj + 1), *right = (void*)(args[1].v_obj + 1);
  if (is_text(&left->key) && is_text(&right->key)) result->v_int64 = left->hash == right->hash;
  return 0;
}

WRAPPED_GLOBAL("ffi.StructuralKeyEqual", equal)
