// story: The content of an Int is in a buffer of the library.
// breaks: BIG-0010 fail
// chance: Threads meet in the buffer.
#include "fault.h"

TVMFFIByteArray TVMFFIBigIntGetContentByteArray(const TVMFFIAny* value) {
  static _Thread_local int64_t word;
  if (value == NULL || value->type_index != kTVMFFIInt) return real.TVMFFIBigIntGetContentByteArray(value);
  word = value->v_int64;
  return (TVMFFIByteArray){(const char*)&word, sizeof(word)};
}
