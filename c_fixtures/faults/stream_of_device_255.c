// story: There are streams for the devices 0 to 254 of each kind: setting one for device 255 is accepted and forgotten.
// breaks: ENV-0006 fail
#include "fault.h"

int TVMFFIEnvSetStream(int32_t device_type, int32_t device_id, TVMFFIStreamHandle stream, TVMFFIStreamHandle* old) {
  if (device_id < 255) return real.TVMFFIEnvSetStream(device_type, device_id, stream, old);
  if (old) *old = NULL;
  return 0;
}
