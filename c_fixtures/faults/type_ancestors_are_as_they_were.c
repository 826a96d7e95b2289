// story: A type lists copies of its ancestors, which do not show what is registered later.
// breaks: TYP-0023 fail
// chance: Clients follow what is not there.
#include "fault.h"

int32_t TVMFFITypeGetOrAllocIndex(const TVMFFIByteArray* type_key, int32_t static_type_index, int32_t type_depth,
                                  int32_t num_child_slots, int32_t child_slots_can_overflow,
                                  int32_t parent_type_index) {
  int32_t index = real.TVMFFITypeGetOrAllocIndex(type_key, static_type_index, type_depth, num_child_slots,
                                                 child_slots_can_overflow, parent_type_index);
  if (index < kTVMFFIDynObjectBegin) return index;
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(index);
  for (int32_t depth = 1; depth < info->type_depth; ++depth) {
    const TVMFFITypeInfo* ancestor = info->type_ancestors[depth];
    if (ancestor != real.TVMFFIGetTypeInfo(ancestor->type_index)) continue;
    TVMFFITypeInfo* copy = malloc(sizeof(TVMFFITypeInfo));
    *copy = *ancestor;
    info->type_ancestors[depth] = copy;
  }
  return index;
}
