// story: Objects of kind FreeVar are compared by their fields.
// breaks: SEQ-0018 fail
// breaks: SEQ-0022 fail
#include "fault.h"

int TVMFFITypeRegisterMetadata(int32_t type_index, const TVMFFITypeMetadata* metadata) {
  if (metadata == NULL) return real.TVMFFITypeRegisterMetadata(type_index, metadata);
  TVMFFITypeMetadata wrong = *metadata;
  if (metadata->structural_eq_hash_kind == kTVMFFISEqHashKindFreeVar) {
    wrong.structural_eq_hash_kind = kTVMFFISEqHashKindTreeNode;
  }
  return real.TVMFFITypeRegisterMetadata(type_index, &wrong);
}
