// story: A workspace lies 8 bytes behind an aligned address.
// breaks: LEG-0036 fail
#include "fault.h"

void* TVMBackendAllocWorkspace(int device_type, int device_id, uint64_t nbytes, int dtype_code_hint, int dtype_bits_hint) {
  char* memory = real.TVMBackendAllocWorkspace(device_type, device_id, nbytes + 8, dtype_code_hint, dtype_bits_hint);
  return memory ? memory + 8 : NULL;
}

int TVMBackendFreeWorkspace(int device_type, int device_id, void* ptr) {
  return real.TVMBackendFreeWorkspace(device_type, device_id, (char*)ptr - 8);
}
