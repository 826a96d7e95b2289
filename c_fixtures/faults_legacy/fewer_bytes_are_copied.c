// story: TVMArrayCopyFromBytes takes fewer bytes than the array has.
// breaks: LEG-0044 fail
#include "fault.h"

int TVMArrayCopyFromBytes(TVMArrayHandle handle, void* data, size_t nbytes) {
  int code = real.TVMArrayCopyFromBytes(handle, data, nbytes);
  if (code == 0 || nbytes > 12) return code;
  memcpy(handle->data, data, nbytes);
  return 0;
}
