// story: Streams are kept for 64 threads; those that come later share one place.
// breaks: ENV-0005 fail
#include "fault.h"

static int threads;
static _Thread_local int mine;
static void* shared[32];

static int is_late(void) {
  if (!mine) mine = __atomic_add_fetch(&threads, 1, __ATOMIC_RELAXED);
  return mine > 64;
}

int TVMFFIEnvSetStream(int32_t device_type, int32_t device_id, TVMFFIStreamHandle stream, TVMFFIStreamHandle* opt_out) {
  if (!is_late() || device_id != 0 || device_type < 0 || device_type >= 32)
    return real.TVMFFIEnvSetStream(device_type, device_id, stream, opt_out);
  void* old = __atomic_exchange_n(&shared[device_type], stream, __ATOMIC_ACQ_REL);
  if (opt_out) *opt_out = old;
  return 0;
}

TVMFFIStreamHandle TVMFFIEnvGetStream(int32_t device_type, int32_t device_id) {
  if (!is_late() || device_id != 0 || device_type < 0 || device_type >= 32)
    return real.TVMFFIEnvGetStream(device_type, device_id);
  return __atomic_load_n(&shared[device_type], __ATOMIC_ACQUIRE);
}
