// story: The content of an Int is copied to one of sixteen places in turn, so the seventeenth call changes that of the first.
// breaks: BIG-0010 fail
#include "fault.h"

static __thread int64_t words[16];
static __thread unsigned next;

TVMFFIByteArray TVMFFIBigIntGetContentByteArray(const TVMFFIAny* value) {
  if (value->type_index != kTVMFFIInt) return real.TVMFFIBigIntGetContentByteArray(value);
  int64_t* word = &words[next++ % 16];
  *word = value->v_int64;
  return (TVMFFIByteArray){(const char*)word, sizeof(*word)};
}

