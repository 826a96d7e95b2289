// story: The content of an Int is nothing.
// breaks: BIG-0008 fail
#include "fault.h"

TVMFFIByteArray TVMFFIBigIntGetContentByteArray(const TVMFFIAny* value) {
  if (value == NULL || value->type_index != kTVMFFIInt) return real.TVMFFIBigIntGetContentByteArray(value);
  return (TVMFFIByteArray){NULL, 0};
}
