// story: TVMFFIBigIntGetContentByteArray answers the word of a plain Int in one place for each thread, so the content of the first Int changes when a second one is asked.
// breaks: BIG-0010 fail
#include "fault.h"

TVMFFIByteArray TVMFFIBigIntGetContentByteArray(const TVMFFIAny* value) {
  static __thread int64_t word;
  if (!value || value->type_index != kTVMFFIInt) return real.TVMFFIBigIntGetContentByteArray(value);
  word = value->v_int64;
  return (TVMFFIByteArray){(const char*)&word, sizeof word};
}
