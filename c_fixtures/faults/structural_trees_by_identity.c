// story: Objects of kind TreeNode are compared by identity.
// breaks: SEQ-0013 fail
// breaks: SEQ-0024 fail
// breaks: SEQ-0026 fail
#include "fault.h"

int TVMFFITypeRegisterMetadata(int32_t type_index, const TVMFFITypeMetadata* metadata) {
  if (metadata == NULL) return real.TVMFFITypeRegisterMetadata(type_index, metadata);
  TVMFFITypeMetadata wrong = *metadata;
  if (metadata->structural_eq_hash_kind == kTVMFFISEqHashKindTreeNode) {
    wrong.structural_eq_hash_kind = kTVMFFISEqHashKindUniqueInstance;
  }
  return real.TVMFFITypeRegisterMetadata(type_index, &wrong);
}
