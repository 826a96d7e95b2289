// story: Setting a stream looks at what it points to.
// breaks: ENV-0002 crash
#include "fault.h"

int TVMFFIEnvSetStream(int32_t device_type, int32_t device_id, TVMFFIStreamHandle stream,
                       TVMFFIStreamHandle* opt_out_original_stream) {
  if (stream != NULL) (void)*(volatile char*)stream;
  return real.TVMFFIEnvSetStream(device_type, device_id, stream, opt_out_original_stream);
}
