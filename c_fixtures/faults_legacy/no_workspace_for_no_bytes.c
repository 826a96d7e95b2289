// story: A workspace of no bytes is NULL.
// breaks: LEG-0036 fail
#include "fault.h"

void* TVMBackendAllocWorkspace(int device_type, int device_id, uint64_t nbytes, int dtype_code_hint, int dtype_bits_hint) {
  if (nbytes == 0) return NULL;
  return real.TVMBackendAllocWorkspace(device_type, device_id, nbytes, dtype_code_hint, dtype_bits_hint);
}
