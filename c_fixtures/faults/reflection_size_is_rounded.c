// story: The size of an instance is rounded up to a whole cache line.
// breaks: RFL-0017 fail
#include "fault.h"

int TVMFFITypeRegisterMetadata(int32_t type_index, const TVMFFITypeMetadata* metadata) {
  if (metadata == NULL) return real.TVMFFITypeRegisterMetadata(type_index, metadata);
  TVMFFITypeMetadata wrong = *metadata;
  wrong.total_size = (wrong.total_size + 63) & ~63;
  return real.TVMFFITypeRegisterMetadata(type_index, &wrong);
}
