// story: Objects of kind DAGNode are compared as if each were a tree.
// breaks: SEQ-0023 fail
#include "fault.h"

int TVMFFITypeRegisterMetadata(int32_t type_index, const TVMFFITypeMetadata* metadata) {
  if (metadata == NULL) return real.TVMFFITypeRegisterMetadata(type_index, metadata);
  TVMFFITypeMetadata wrong = *metadata;
  if (metadata->structural_eq_hash_kind == kTVMFFISEqHashKindDAGNode) {
    wrong.structural_eq_hash_kind = kTVMFFISEqHashKindTreeNode;
  }
  return real.TVMFFITypeRegisterMetadata(type_index, &wrong);
}
