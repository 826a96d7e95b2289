// story: The allocator is asked for a tensor on the first device.
// breaks: ENV-0016 fail
#include "fault.h"

int TVMFFIEnvTensorAlloc(DLTensor* prototype, TVMFFIObjectHandle* out) {
  if (prototype == NULL) return real.TVMFFIEnvTensorAlloc(prototype, out);
  DLTensor changed = *prototype;
  changed.device.device_id = 0;
  return real.TVMFFIEnvTensorAlloc(&changed, out);
}
