// story: The content of an integer of 64 bits is handed out in a buffer of the thread, which the next integer overwrites.
// breaks: BIG-0010 fail
#include "fault.h"

TVMFFIByteArray TVMFFIBigIntGetContentByteArray(const TVMFFIAny* value) {
  static __thread int64_t word;
  if (!value || value->type_index != kTVMFFIInt) return real.TVMFFIBigIntGetContentByteArray(value);
  word = value->v_int64;
  return (TVMFFIByteArray){(const char*)&word, sizeof(word)};
}
