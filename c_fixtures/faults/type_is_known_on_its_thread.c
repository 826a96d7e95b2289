// story: A type is known to the thread that registered it, and to no other.
// breaks: TYP-0037 fail
#include "fault.h"

static _Thread_local char registered_here[1 << 13];

int32_t TVMFFITypeGetOrAllocIndex(const TVMFFIByteArray* type_key, int32_t static_type_index, int32_t type_depth,
                                  int32_t num_child_slots, int32_t child_slots_can_overflow,
                                  int32_t parent_type_index) {
  int32_t index = real.TVMFFITypeGetOrAllocIndex(type_key, static_type_index, type_depth, num_child_slots,
                                                 child_slots_can_overflow, parent_type_index);
  if (index >= 0 && index < 1 << 13) registered_here[index] = 1;
  return index;
}

int TVMFFITypeKeyToIndex(const TVMFFIByteArray* type_key, int32_t* out_tindex) {
  int code = real.TVMFFITypeKeyToIndex(type_key, out_tindex);
  if (code != 0 || *out_tindex < kTVMFFIDynObjectBegin || *out_tindex >= 1 << 13) return code;
  /* The library's own types are known everywhere. */
  if (registered_here[*out_tindex] || (type_key->size > 4 && memcmp(type_key->data, "ffi.", 4) == 0)) return 0;
  real.TVMFFIErrorSetRaisedFromCStr("KeyError", "Cannot find the type key");
  return -1;
}
