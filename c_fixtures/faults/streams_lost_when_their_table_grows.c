// story: A thread's table of streams has room for four devices of a kind at first; when it grows, what was set before is not carried over.
// breaks: ENV-0002 fail
#include "fault.h"

static __thread int32_t room[64];

int TVMFFIEnvSetStream(int32_t device_type, int32_t device_id, TVMFFIStreamHandle stream, TVMFFIStreamHandle* original) {
  if (device_type >= 0 && device_type < 64 && device_id >= 0 && device_id < 4096) {
    if (room[device_type] == 0) room[device_type] = 4;
    if (device_id >= room[device_type]) {
      for (int32_t i = 0; i < room[device_type]; ++i) real.TVMFFIEnvSetStream(device_type, i, NULL, NULL);
      while (device_id >= room[device_type]) room[device_type] *= 2;
    }
  }
  return real.TVMFFIEnvSetStream(device_type, device_id, stream, original);
}
