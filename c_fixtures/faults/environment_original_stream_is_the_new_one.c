// story: Setting a stream gives out the new one as the former one.
// breaks: ENV-0004 fail
#include "fault.h"

int TVMFFIEnvSetStream(int32_t device_type, int32_t device_id, TVMFFIStreamHandle stream,
                       TVMFFIStreamHandle* opt_out_original_stream) {
  int code = real.TVMFFIEnvSetStream(device_type, device_id, stream, opt_out_original_stream);
  if (code == 0 && opt_out_original_stream) *opt_out_original_stream = stream;
  return code;
}
