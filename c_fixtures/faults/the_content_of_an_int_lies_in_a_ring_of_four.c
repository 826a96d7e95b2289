// story: The word of an Int is handed out in one of four places that each thread has for it, so the fifth call overwrites what the first has handed out.
// breaks: BIG-0010 fail
#include "fault.h"
TVMFFIByteArray TVMFFIBigIntGetContentByteArray(const TVMFFIAny* value) {
  static _Thread_local int64_t ring[4];
  static _Thread_local unsigned next;
  if (!value || value->type_index != kTVMFFIInt) return real.TVMFFIBigIntGetContentByteArray(value);
  int64_t* place = &ring[next++ % 4];
  *place = value->v_int64;
  return (TVMFFIByteArray){(const char*)place, 8};
}
