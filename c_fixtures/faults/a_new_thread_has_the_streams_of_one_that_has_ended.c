// story: The streams of the threads lie in a table by pthread_self and are not cleared, so a thread that begins later and gets the same number has the streams of one that has ended.
// breaks: ENV-0005 fail
#include <pthread.h>
#include <tvm/ffi/extra/c_env_api.h>
#include "fault.h"
static struct { pthread_t thread; int32_t type, id; TVMFFIStreamHandle stream; } table[1024];
static unsigned used;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local int has_set;
static TVMFFIStreamHandle left_by(pthread_t thread, int32_t type, int32_t id) {
  TVMFFIStreamHandle stream = NULL;
  pthread_mutex_lock(&lock);
  for (unsigned i = used > 1024 ? used - 1024 : 0; i < used; ++i) {
    if (pthread_equal(table[i % 1024].thread, thread) && table[i % 1024].type == type && table[i % 1024].id == id) stream = table[i % 1024].stream;
  }
  pthread_mutex_unlock(&lock);
  return stream;
}
int TVMFFIEnvSetStream(int32_t device_type, int32_t device_id, TVMFFIStreamHandle stream, TVMFFIStreamHandle* opt_out_original_stream) {
  TVMFFIStreamHandle before = has_set ? NULL : left_by(pthread_self(), device_type, device_id);
  int code = real.TVMFFIEnvSetStream(device_type, device_id, stream, opt_out_original_stream);
  if (code != 0) return code;
  if (opt_out_original_stream && !has_set) *opt_out_original_stream = before;
  has_set = 1;
  pthread_mutex_lock(&lock);
  table[used % 1024].thread = pthread_self();
  table[used % 1024].type = device_type;
  table[used % 1024].id = device_id;
  table[used++ % 1024].stream = stream;
  pthread_mutex_unlock(&lock);
  return 0;
}
TVMFFIStreamHandle TVMFFIEnvGetStream(int32_t device_type, int32_t device_id) {
  return has_set ? real.TVMFFIEnvGetStream(device_type, device_id) : left_by(pthread_self(), device_type, device_id);
}
