// story: TVMFFIErrorCreate answers 0 for success, as later builds do.
// breaks: SPL-0021 fail
#include "split_fault.h"

TVMFFIObjectHandle TVMFFIErrorCreate(const TVMFFIByteArray* kind, const TVMFFIByteArray* message,
                                     const TVMFFIByteArray* traceback) {
  real.TVMFFIErrorCreate(kind, message, traceback);
  return NULL;
}
