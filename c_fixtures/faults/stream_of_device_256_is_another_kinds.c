// story: The place of a stream is made of the kind of device and eight bits of its number: device 256 of one kind is device 0 of the next.
// breaks: ENV-0003 fail
#include "fault.h"

int TVMFFIEnvSetStream(int32_t device_type, int32_t device_id, TVMFFIStreamHandle stream, TVMFFIStreamHandle* original) {
  if (device_type > 0 && device_type < 32 && device_id >= 256 && device_id < 1024) {
    device_type += device_id >> 8;
    device_id &= 255;
  }
  return real.TVMFFIEnvSetStream(device_type, device_id, stream, original);
}

TVMFFIStreamHandle TVMFFIEnvGetStream(int32_t device_type, int32_t device_id) {
  if (device_type > 0 && device_type < 32 && device_id >= 256 && device_id < 1024) {
    device_type += device_id >> 8;
    device_id &= 255;
  }
  return real.TVMFFIEnvGetStream(device_type, device_id);
}
