// story: There is room for the streams of eight devices of a kind; the ninth shares the place of the first.
// breaks: ENV-0003 fail
#include "fault.h"

int TVMFFIEnvSetStream(int32_t device_type, int32_t device_id, TVMFFIStreamHandle stream,
                       TVMFFIStreamHandle* opt_out_original_stream) {
  return real.TVMFFIEnvSetStream(device_type, device_id & 7, stream, opt_out_original_stream);
}

TVMFFIStreamHandle TVMFFIEnvGetStream(int32_t device_type, int32_t device_id) {
  return real.TVMFFIEnvGetStream(device_type, device_id & 7);
}
