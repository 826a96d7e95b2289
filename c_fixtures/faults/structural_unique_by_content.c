// story: Objects of kind UniqueInstance are compared by their fields.
// breaks: SEQ-0016 fail
#include "fault.h"

int TVMFFITypeRegisterMetadata(int32_t type_index, const TVMFFITypeMetadata* metadata) {
  if (metadata == NULL) return real.TVMFFITypeRegisterMetadata(type_index, metadata);
  TVMFFITypeMetadata wrong = *metadata;
  if (metadata->structural_eq_hash_kind == kTVMFFISEqHashKindUniqueInstance) {
    wrong.structural_eq_hash_kind = kTVMFFISEqHashKindTreeNode;
  }
  return real.TVMFFITypeRegisterMetadata(type_index, &wrong);
}
