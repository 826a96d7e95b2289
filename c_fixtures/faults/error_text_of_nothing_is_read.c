// story: The first byte of an error's message is looked at even if there is none.
// breaks: ERR-0006 crash
#include "fault.h"

int TVMFFIErrorCreate(const TVMFFIByteArray* kind, const TVMFFIByteArray* message, const TVMFFIByteArray* backtrace,
                      TVMFFIObjectHandle* out) {
  (void)*(volatile char*)message->data;
  return real.TVMFFIErrorCreate(kind, message, backtrace, out);
}
