// story: Objects of kind FreeVar are equal to themselves only, even when variables are mapped.
// breaks: SEQ-0019 fail
#include "fault.h"

int TVMFFITypeRegisterMetadata(int32_t type_index, const TVMFFITypeMetadata* metadata) {
  if (metadata == NULL) return real.TVMFFITypeRegisterMetadata(type_index, metadata);
  TVMFFITypeMetadata wrong = *metadata;
  if (metadata->structural_eq_hash_kind == kTVMFFISEqHashKindFreeVar) {
    wrong.structural_eq_hash_kind = kTVMFFISEqHashKindUniqueInstance;
  }
  return real.TVMFFITypeRegisterMetadata(type_index, &wrong);
}
