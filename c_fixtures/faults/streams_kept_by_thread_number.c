// story: Streams are kept under the thread's number and not given up when the thread ends: a thread that gets the number later has them.
// breaks: ENV-0005 fail
#include <pthread.h>
#include "fault.h"

struct entry {
  struct entry* next;
  pthread_t thread;
  int32_t type, id;
  TVMFFIStreamHandle stream;
};
static struct entry* entries;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct entry* find(int32_t type, int32_t id) {
  struct entry* at = entries;
  while (at && !(pthread_equal(at->thread, pthread_self()) && at->type == type && at->id == id)) at = at->next;
  return at;
}

int TVMFFIEnvSetStream(int32_t device_type, int32_t device_id, TVMFFIStreamHandle stream,
                       TVMFFIStreamHandle* opt_out_original_stream) {
  int code = real.TVMFFIEnvSetStream(device_type, device_id, stream, NULL);
  if (code != 0) return code;
  pthread_mutex_lock(&lock);
  struct entry* entry = find(device_type, device_id);
  if (!entry) {
    entry = malloc(sizeof(*entry));
    *entry = (struct entry){entries, pthread_self(), device_type, device_id, NULL};
    entries = entry;
  }
  if (opt_out_original_stream) *opt_out_original_stream = entry->stream;
  entry->stream = stream;
  pthread_mutex_unlock(&lock);
  return 0;
}

TVMFFIStreamHandle TVMFFIEnvGetStream(int32_t device_type, int32_t device_id) {
  pthread_mutex_lock(&lock);
  struct entry* entry = find(device_type, device_id);
  TVMFFIStreamHandle stream = entry ? entry->stream : NULL;
  pthread_mutex_unlock(&lock);
  return stream;
}
