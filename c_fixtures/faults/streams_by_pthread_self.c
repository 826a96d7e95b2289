// story: The streams of all threads lie in one table under pthread_self(), which nobody cleans: a thread that gets the number of one that has ended begins with its streams.
// breaks: ENV-0005 fail
#include <pthread.h>
#include "fault.h"
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct entry { struct entry* next; pthread_t thread; int32_t type, id; TVMFFIStreamHandle stream; }* all;
static struct entry* find(int32_t type, int32_t id) {
  struct entry* e = all;
  while (e && (e->thread != pthread_self() || e->type != type || e->id != id)) e = e->next;
  return e;
}
int TVMFFIEnvSetStream(int32_t device_type, int32_t device_id, TVMFFIStreamHandle stream, TVMFFIStreamHandle* opt_out_original_stream) {
  int code = real.TVMFFIEnvSetStream(device_type, device_id, stream, NULL);
  if (code != 0) return code;
  pthread_mutex_lock(&lock);
  struct entry* e = find(device_type, device_id);
  if (!e) {
    e = calloc(1, sizeof(*e));
    *e = (struct entry){all, pthread_self(), device_type, device_id, NULL};
    all = e;
  }
  if (opt_out_original_stream) *opt_out_original_stream = e->stream;
  e->stream = stream;
  pthread_mutex_unlock(&lock);
  return 0;
}
TVMFFIStreamHandle TVMFFIEnvGetStream(int32_t device_type, int32_t device_id) {
  pthread_mutex_lock(&lock);
  struct entry* e = find(device_type, device_id);
  TVMFFIStreamHandle stream = e ? e->stream : NULL;
  pthread_mutex_unlock(&lock);
  return stream;
}
