// story: Records of types are remembered in 512 places by the low bits of the index, and found there by any index with these bits.
// breaks: TYP-0035 fail
// chance: Which of two types is asked for first is not the same in each run where threads do.
#include "fault.h"

const TVMFFITypeInfo* TVMFFIGetTypeInfo(int32_t type_index) {
  static const TVMFFITypeInfo* places[512];
  if (type_index < 0) return real.TVMFFIGetTypeInfo(type_index);
  const TVMFFITypeInfo* info = __atomic_load_n(&places[type_index % 512], __ATOMIC_ACQUIRE);
  if (info) return info;
  info = real.TVMFFIGetTypeInfo(type_index);
  __atomic_store_n(&places[type_index % 512], info, __ATOMIC_RELEASE);
  return info;
}
