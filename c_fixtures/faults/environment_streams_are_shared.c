// story: Streams belong to the process instead of the thread.
// breaks: ENV-0005 fail
#include "fault.h"

static TVMFFIStreamHandle streams[64][256];

static int known(int32_t device_type, int32_t device_id) {
  return device_type >= 0 && device_type < 64 && device_id >= 0 && device_id < 256;
}

int TVMFFIEnvSetStream(int32_t device_type, int32_t device_id, TVMFFIStreamHandle stream,
                       TVMFFIStreamHandle* opt_out_original_stream) {
  if (!known(device_type, device_id)) {
    return real.TVMFFIEnvSetStream(device_type, device_id, stream, opt_out_original_stream);
  }
  TVMFFIStreamHandle before = __atomic_exchange_n(&streams[device_type][device_id], stream, __ATOMIC_ACQ_REL);
  if (opt_out_original_stream) *opt_out_original_stream = before;
  return 0;
}

TVMFFIStreamHandle TVMFFIEnvGetStream(int32_t device_type, int32_t device_id) {
  if (!known(device_type, device_id)) return NULL;
  return __atomic_load_n(&streams[device_type][device_id], __ATOMIC_ACQUIRE);
}
