// story: A workspace of a device that there is not ends the process.
// breaks: LEG-0037 crash
#include "fault.h"

void* TVMBackendAllocWorkspace(int device_type, int device_id, uint64_t nbytes, int dtype_code_hint, int dtype_bits_hint) {
  void* memory = real.TVMBackendAllocWorkspace(device_type, device_id, nbytes, dtype_code_hint, dtype_bits_hint);
  if (!memory) abort();
  return memory;
}
