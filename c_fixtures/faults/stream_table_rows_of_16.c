// story: The table of streams has 16 places for each device type, so the device 16 of one type shares its stream with device 0 of the next.
// breaks: ENV-0003 fail
#include "fault.h"

static void place(int32_t* type, int32_t* id) {
  if (*type < 0 || *type > 256 || *id < 16 || *id > 4095) return;
  *type += *id / 16;
  *id %= 16;
}

int TVMFFIEnvSetStream(int32_t device_type, int32_t device_id, TVMFFIStreamHandle stream,
                       TVMFFIStreamHandle* opt_out_original_stream) {
  place(&device_type, &device_id);
  return real.TVMFFIEnvSetStream(device_type, device_id, stream, opt_out_original_stream);
}

TVMFFIStreamHandle TVMFFIEnvGetStream(int32_t device_type, int32_t device_id) {
  place(&device_type, &device_id);
  return real.TVMFFIEnvGetStream(device_type, device_id);
}
