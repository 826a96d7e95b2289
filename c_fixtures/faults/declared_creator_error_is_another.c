// story: When a creator fails, its error gives way to one that says nothing.
// breaks: DCL-0027 fail
#include "fault.h"

static TVMFFIObjectCreator creator;

static int create(TVMFFIObjectHandle* result) {
  int code = creator(result);
  if (code != 0) real.TVMFFIErrorSetRaisedFromCStr("RuntimeError", "the creator failed");
  return code;
}

int TVMFFITypeRegisterMetadata(int32_t type_index, const TVMFFITypeMetadata* metadata) {
  if (metadata == NULL || metadata->creator == NULL) return real.TVMFFITypeRegisterMetadata(type_index, metadata);
  TVMFFITypeMetadata wrong = *metadata;
  creator = metadata->creator;
  wrong.creator = create;
  return real.TVMFFITypeRegisterMetadata(type_index, &wrong);
}
