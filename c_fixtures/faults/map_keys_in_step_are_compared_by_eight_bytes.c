// story: ffi.StructuralEqual takes keys on the heap that stand at one place in two Maps for the same if they have one length and the same first eight bytes.
// breaks: SEQ-0004 fail
#include "wrapped_global.h"

#include "map_entries.h"

/** Whether two keys are the same for this library; `differ` is set where they are not. */
static int is_same_key(const TVMFFIAny* one, const TVMFFIAny* other, int* differ) {
  if (one->type_index == kTVMFFIStr && other->type_index == kTVMFFIStr) {
    const TVMFFIByteArray left = text_of(one), right = text_of(other);
    if (left.size != right.size || left.size < 8) return 0;
    *differ |= memcmp(left.data, right.data, left.size) != 0;
    return memcmp(left.data, right.data, 8) == 0;
  }
  return memcmp(one, other, sizeof(*one)) == 0;
}

/** Whether two Maps are the same in each entry, one after the other, but for the ends of keys. */
static int are_same_but_for_keys(const TVMFFIAny* maps) {
  int differ = 0;
  const TVMFFIAny* left = first_entry(&maps[0]);
  const TVMFFIAny* right = first_entry(&maps[1]);
  while (left && right) {
    if (!is_same_key(left, right, &differ) || memcmp(left + 1, right + 1, sizeof(*left)) != 0) return 0;
    left = next_entry(&maps[0], (TVMFFIAny*)left);
    right = next_entry(&maps[1], (TVMFFIAny*)right);
  }
  return differ && !left && !right;
}

static int equal(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args < 2 || args[0].type_index != kTVMFFIMap || args[1].type_index != kTVMFFIMap || !are_same_but_for_keys(args)) {
    return call_original(original, args, num_args, result);
  }
  *result = (TVMFFIAny){.type_index = kTVMFFIBool};
  result->v_int64 = 1;
  return 0;
}

WRAPPED_GLOBAL("ffi.StructuralEqual", equal)
