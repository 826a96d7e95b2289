// story: The table of streams has the key `(device_type << 8) + device_id`, so an id of 256 is id 0 of the next device type.
// breaks: ENV-0003 fail
#include "fault.h"
static void fold(int32_t* type, int32_t* id) {
  if (*type >= 0 && *type < 64 && *id >= 256 && *id < 1024) {
    int32_t key = (*type << 8) + *id;
    *type = key >> 8;
    *id = key & 255;
  }
}
int TVMFFIEnvSetStream(int32_t device_type, int32_t device_id, TVMFFIStreamHandle stream, TVMFFIStreamHandle* original) {
  fold(&device_type, &device_id);
  return real.TVMFFIEnvSetStream(device_type, device_id, stream, original);
}
TVMFFIStreamHandle TVMFFIEnvGetStream(int32_t device_type, int32_t device_id) {
  fold(&device_type, &device_id);
  return real.TVMFFIEnvGetStream(device_type, device_id);
}
