// story: The list of ancestors has room for eight; the places after that hold the root again.
// breaks: TYP-0022 fail
#include "fault.h"

const TVMFFITypeInfo* TVMFFIGetTypeInfo(int32_t type_index) {
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(type_index);
  for (int32_t depth = 8; depth < info->type_depth; ++depth) info->type_ancestors[depth] = info->type_ancestors[0];
  return info;
}
