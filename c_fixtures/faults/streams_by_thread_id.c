// story: Streams are kept by the identifier of the thread, and a new thread with the identifier of one that ended finds its streams.
// breaks: ENV-0005 fail
#include "fault.h"
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct entry { struct entry* next; pthread_t thread; int32_t type, id; TVMFFIStreamHandle stream; } *entries;

static struct entry* find(int32_t type, int32_t id) {
  struct entry* entry = entries;
  while (entry && !(pthread_equal(entry->thread, pthread_self()) && entry->type == type && entry->id == id)) entry = entry->next;
  return entry;
}

int TVMFFIEnvSetStream(int32_t device_type, int32_t device_id, TVMFFIStreamHandle stream, TVMFFIStreamHandle* old) {
  TVMFFIStreamHandle unused;
  int code = real.TVMFFIEnvSetStream(device_type, device_id, stream, &unused);
  if (code != 0) return code;
  pthread_mutex_lock(&lock);
  struct entry* entry = find(device_type, device_id);
  if (!entry) {
    entry = malloc(sizeof *entry);
    *entry = (struct entry){entries, pthread_self(), device_type, device_id, NULL};
    entries = entry;
  }
  if (old) *old = entry->stream;
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
