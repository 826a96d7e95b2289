// story: Looking up a type with more than forty ancestors never ends.
// breaks: TYP-0021 timeout
#include "fault.h"

const TVMFFITypeInfo* TVMFFIGetTypeInfo(int32_t type_index) {
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(type_index);
  for (volatile int32_t depth = info->type_depth; depth > 40;) {
  }
  return info;
}
