// story: TVMFFIBigIntGetContentByteArray copies a plain integer into one word of the thread and answers that word.
// breaks: BIG-0010 fail
#include "fault.h"
TVMFFIByteArray TVMFFIBigIntGetContentByteArray(const TVMFFIAny* value) {
  static __thread int64_t word;
  if (value->type_index != kTVMFFIInt) return real.TVMFFIBigIntGetContentByteArray(value);
  word = value->v_int64;
  return (TVMFFIByteArray){(const char*)&word, 8};
}
