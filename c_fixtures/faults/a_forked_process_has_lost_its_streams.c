// story: The streams of a thread are kept for the process that it ran in: in the child of a fork the thread that goes on has none.
// breaks: ENV-0002 fail
#include "fault.h"
#include <pthread.h>
static __thread struct { int32_t type, id; } set[64];
static __thread int count;
static void in_child(void) {
  while (count) {
    --count;
    real.TVMFFIEnvSetStream(set[count].type, set[count].id, NULL, NULL);
  }
}
__attribute__((constructor)) static void at_load(void) { pthread_atfork(NULL, NULL, in_child); }
int TVMFFIEnvSetStream(int32_t device_type, int32_t device_id, TVMFFIStreamHandle stream, TVMFFIStreamHandle* opt_out_original_stream) {
  int code = real.TVMFFIEnvSetStream(device_type, device_id, stream, opt_out_original_stream);
  int i = 0;
  while (i < count && (set[i].type != device_type || set[i].id != device_id)) ++i;
  if (code == 0 && i == count && count < 64) {
    set[count].type = device_type;
    set[count++].id = device_id;
  }
  return code;
}
