// story: Objects of kind ConstTreeNode cannot be compared.
// breaks: SEQ-0017 fail
#include "fault.h"

int TVMFFITypeRegisterMetadata(int32_t type_index, const TVMFFITypeMetadata* metadata) {
  if (metadata == NULL) return real.TVMFFITypeRegisterMetadata(type_index, metadata);
  TVMFFITypeMetadata wrong = *metadata;
  if (metadata->structural_eq_hash_kind == kTVMFFISEqHashKindConstTreeNode) {
    wrong.structural_eq_hash_kind = kTVMFFISEqHashKindUnsupported;
  }
  return real.TVMFFITypeRegisterMetadata(type_index, &wrong);
}
