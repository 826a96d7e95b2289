// story: Streams are kept by the system's name of a thread, so a new thread that gets the name of one that has ended gets its streams.
// breaks: ENV-0005 fail
#include "fault.h"
#include <pthread.h>

struct entry { struct entry* next; pthread_t thread; int32_t type, id; TVMFFIStreamHandle stream; };
static struct entry* entries;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct entry* find(int32_t type, int32_t id) {
  for (struct entry* entry = entries; entry; entry = entry->next) {
    if (pthread_equal(entry->thread, pthread_self()) && entry->type == type && entry->id == id) return entry;
  }
  return NULL;
}

int TVMFFIEnvSetStream(int32_t device_type, int32_t device_id, TVMFFIStreamHandle stream, TVMFFIStreamHandle* opt_out_original_stream) {
  int code = real.TVMFFIEnvSetStream(device_type, device_id, stream, NULL);
  if (code != 0) return code;
  pthread_mutex_lock(&lock);
  struct entry* entry = find(device_type, device_id);
  if (!entry) {
    entry = calloc(1, sizeof *entry);
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
