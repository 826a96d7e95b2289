// story: The content of a plain Int lies in one word of the thread, not in the value: the next question overwrites it.
// breaks: BIG-0010 fail
#include "fault.h"

TVMFFIByteArray TVMFFIBigIntGetContentByteArray(const TVMFFIAny* value) {
  static __thread int64_t word;
  if (!value || value->type_index != kTVMFFIInt) return real.TVMFFIBigIntGetContentByteArray(value);
  word = value->v_int64;
  return (TVMFFIByteArray){(const char*)&word, 8};
}
