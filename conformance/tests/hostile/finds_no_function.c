// story: No global function is found, under any name.
#include "fault.h"

int TVMFFIFunctionGetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle* out) {
  (void)name;
  *out = NULL;
  return 0;
}
