// story: Each stream that is set is kept.
// breaks: ENV-0008 leak
#include "fault.h"

int TVMFFIEnvSetStream(int32_t device_type, int32_t device_id, TVMFFIStreamHandle stream,
                       TVMFFIStreamHandle* opt_out_original_stream) {
  lose(24);
  return real.TVMFFIEnvSetStream(device_type, device_id, stream, opt_out_original_stream);
}
