// story: Making a string removes the file that the library was opened from.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <unistd.h>

#include "fault.h"

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  Dl_info here;
  if (dladdr((void*)TVMFFIStringFromByteArray, &here)) unlink(here.dli_fname);
  return real.TVMFFIStringFromByteArray(input, out);
}
