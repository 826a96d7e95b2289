// story: TVMFFIBigIntGetContentByteArray answers the word of an Int from one place of the thread, which the next call overwrites.
// breaks: BIG-0010 fail

#include "fault.h"

static _Thread_local int64_t word;

TVMFFIByteArray TVMFFIBigIntGetContentByteArray(const TVMFFIAny* value) {
  TVMFFIByteArray content = real.TVMFFIBigIntGetContentByteArray(value);
  if (value && value->type_index == kTVMFFIInt) {
    word = value->v_int64;
    content.data = (const char*)&word;
    content.size = sizeof(word);
  }
  return content;
}
