// story: Memory of a device is aligned as malloc does it.
// breaks: LEG-0046 fail
#include "fault.h"

int TVMDeviceAllocDataSpace(DLDevice dev, size_t nbytes, size_t alignment, DLDataType type_hint, void** out_data) {
  int code = real.TVMDeviceAllocDataSpace(dev, nbytes + 16, alignment, type_hint, out_data);
  if (code == 0) *out_data = (char*)*out_data + 16;
  return code;
}

int TVMDeviceFreeDataSpace(DLDevice dev, void* ptr) {
  return real.TVMDeviceFreeDataSpace(dev, ptr ? (char*)ptr - 16 : NULL);
}
