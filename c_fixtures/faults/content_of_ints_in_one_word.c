// story: The content of a plain Int is answered from a word that belongs to the thread, where the next Int's content takes its place.
// breaks: BIG-0010 fail
#include "fault.h"

static __thread int64_t word;

TVMFFIByteArray TVMFFIBigIntGetContentByteArray(const TVMFFIAny* value) {
  if (!value || value->type_index != kTVMFFIInt) return real.TVMFFIBigIntGetContentByteArray(value);
  word = value->v_int64;
  return (TVMFFIByteArray){(const char*)&word, sizeof(word)};
}
