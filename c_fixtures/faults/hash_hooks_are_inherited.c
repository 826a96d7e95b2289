// story: A type takes over the hooks for keys that its parent has when it is registered.
// breaks: HSH-0019 fail
#include "fault.h"

static void inherit(int32_t child, int32_t parent, const char* column) {
  TVMFFIByteArray name = {column, strlen(column)};
  const TVMFFITypeAttrColumn* found = real.TVMFFIGetTypeAttrColumn(&name);
  int32_t place = found == NULL ? -1 : parent - found->begin_index;
  if (place < 0 || place >= found->size || found->data[place].type_index == kTVMFFINone) return;
  TVMFFIAny hook = found->data[place];
  real.TVMFFITypeRegisterAttr(child, &name, &hook);
}

int32_t TVMFFITypeGetOrAllocIndex(const TVMFFIByteArray* type_key, int32_t static_type_index, int32_t type_depth,
                                  int32_t num_child_slots, int32_t child_slots_can_overflow,
                                  int32_t parent_type_index) {
  int32_t index = real.TVMFFITypeGetOrAllocIndex(type_key, static_type_index, type_depth, num_child_slots,
                                                 child_slots_can_overflow, parent_type_index);
  if (parent_type_index >= kTVMFFIDynObjectBegin && index != parent_type_index) {
    inherit(index, parent_type_index, "__any_hash__");
    inherit(index, parent_type_index, "__any_equal__");
  }
  return index;
}
