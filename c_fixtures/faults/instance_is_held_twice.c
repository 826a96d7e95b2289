// story: A new interruption has a reference that nobody owns.
// breaks: INS-0001 fail
#include "fault.h"

static TVMFFIObjectCreator create;

static int create_and_hold(TVMFFIObjectHandle* result) {
  int code = create(result);
  return code != 0 ? code : real.TVMFFIObjectIncRef(*result);
}

const TVMFFITypeInfo* TVMFFIGetTypeInfo(int32_t type_index) {
  static TVMFFITypeInfo held;
  static TVMFFITypeMetadata metadata;
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(type_index);
  if (info == NULL || type_index != kTVMFFIVisitInterrupt) return info;
  held = *info;
  metadata = *info->metadata;
  create = metadata.creator;
  metadata.creator = create_and_hold;
  held.metadata = &metadata;
  return &held;
}
