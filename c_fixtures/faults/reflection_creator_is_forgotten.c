// story: Of the metadata of a type the creator is not kept.
// breaks: RFL-0036 fail
#include "fault.h"

int TVMFFITypeRegisterMetadata(int32_t type_index, const TVMFFITypeMetadata* metadata) {
  if (metadata == NULL) return real.TVMFFITypeRegisterMetadata(type_index, metadata);
  TVMFFITypeMetadata wrong = *metadata;
  wrong.creator = NULL;
  return real.TVMFFITypeRegisterMetadata(type_index, &wrong);
}
