// story: The content of a plain Int is given in one buffer of the thread and not in the value, so the next call changes it.
// breaks: BIG-0010 fail
#include "fault.h"
static __thread int64_t word;
TVMFFIByteArray TVMFFIBigIntGetContentByteArray(const TVMFFIAny* value) {
  if (value->type_index != kTVMFFIInt) return real.TVMFFIBigIntGetContentByteArray(value);
  word = value->v_int64;
  return (TVMFFIByteArray){(const char*)&word, 8};
}
