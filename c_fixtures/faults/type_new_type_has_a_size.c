// story: The record of a new type says that its instances are as large as the header.
// breaks: TYP-0034 fail
// chance: What the fault keeps is not made for threads.
#include "fault.h"

const TVMFFITypeInfo* TVMFFIGetTypeInfo(int32_t type_index) {
  static TVMFFITypeInfo changed;
  static const TVMFFITypeMetadata assumed = {.total_size = sizeof(TVMFFIObject)};
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(type_index);
  if (info == NULL || info->metadata != NULL || type_index < kTVMFFIDynObjectBegin) return info;
  changed = *info;
  changed.metadata = &assumed;
  return &changed;
}
