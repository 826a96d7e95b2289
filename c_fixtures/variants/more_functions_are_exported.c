// story: The library exports a dozen functions and a table more than the headers declare, some under names that begin like those of the ABI.
// admitted: The headers say what a library has, not that it has nothing else; SYM-0002 and SYM-0009 ask for what is declared, SYM-0004 for definitions in the library itself, and these are.
#include "fault.h"

#define MORE __attribute__((visibility("default")))

MORE const char* TVMFFIForkGetName(void) { return "a fork"; }
MORE int TVMFFIObjectIncRefBy(TVMFFIObjectHandle object, uint32_t by) {
  for (; object && by > 0; --by) real.TVMFFIObjectIncRef(object);
  return 0;
}
MORE uint32_t TVMFFIObjectStrongCount(TVMFFIObjectHandle object) {
  return (uint32_t)__atomic_load_n(&((TVMFFIObject*)object)->combined_ref_count, __ATOMIC_RELAXED);
}
MORE uint32_t TVMFFIObjectWeakCount(TVMFFIObjectHandle object) {
  return (uint32_t)(__atomic_load_n(&((TVMFFIObject*)object)->combined_ref_count, __ATOMIC_RELAXED) >> 32);
}
MORE int TVMFFIErrorIsRaised(void) {
  TVMFFIObjectHandle error = NULL;
  real.TVMFFIErrorMoveFromRaised(&error);
  if (!error) return 0;
  real.TVMFFIErrorSetRaised(error);
  real.TVMFFIObjectDecRef(error);
  return 1;
}
MORE void TVMFFIGetVersion2(TVMFFIVersion* version) { real.TVMFFIGetVersion(version); }
MORE int TVMFFIStringFromCStr(const char* text, TVMFFIAny* out) {
  const TVMFFIByteArray bytes = {text, strlen(text)};
  return real.TVMFFIStringFromByteArray(&bytes, out);
}
MORE TVMFFIStreamHandle TVMFFIEnvGetStreamOfCUDA(int32_t id) { return real.TVMFFIEnvGetStream(2, id); }
MORE int tvm_ffi_fork_abi_level(void) { return 3; }
MORE const uint32_t tvm_ffi_fork_table[4] = {1, 2, 3, 4};
