// story: Streams are refused for the device types that came last.
// breaks: ENV-0006 fail
#include "fault.h"

int TVMFFIEnvSetStream(int32_t device_type, int32_t device_id, TVMFFIStreamHandle stream,
                       TVMFFIStreamHandle* opt_out_original_stream) {
  if (device_type > kDLHexagon) {
    real.TVMFFIErrorSetRaisedFromCStr("ValueError", "no such device");
    return -1;
  }
  return real.TVMFFIEnvSetStream(device_type, device_id, stream, opt_out_original_stream);
}
