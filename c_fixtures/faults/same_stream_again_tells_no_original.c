// story: Setting the stream that is current already does nothing, not even tell the stream that was there.
// breaks: ENV-0004 fail
#include "fault.h"

int TVMFFIEnvSetStream(int32_t device_type, int32_t device_id, TVMFFIStreamHandle stream,
                       TVMFFIStreamHandle* opt_out_original_stream) {
  if (stream && real.TVMFFIEnvGetStream(device_type, device_id) == stream) return 0;
  return real.TVMFFIEnvSetStream(device_type, device_id, stream, opt_out_original_stream);
}
