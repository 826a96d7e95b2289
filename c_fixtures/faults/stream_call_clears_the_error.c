// story: Setting a stream clears the raised error, as all calls do that have succeeded.
// breaks: ERR-0022 fail
#include "fault.h"

int TVMFFIEnvSetStream(int32_t device_type, int32_t device_id, TVMFFIStreamHandle stream, TVMFFIStreamHandle* opt_out) {
  int code = real.TVMFFIEnvSetStream(device_type, device_id, stream, opt_out);
  if (code == 0) real.TVMFFIErrorSetRaised(NULL);
  return code;
}
