// story: The content of every Int is handed out in the same buffer, one for each thread.
// breaks: BIG-0010 fail
#include "fault.h"

TVMFFIByteArray TVMFFIBigIntGetContentByteArray(const TVMFFIAny* value) {
  static _Thread_local int64_t buffer;
  if (value->type_index != kTVMFFIInt) return real.TVMFFIBigIntGetContentByteArray(value);
  buffer = value->v_int64;
  TVMFFIByteArray content = {(const char*)&buffer, sizeof(buffer)};
  return content;
}
