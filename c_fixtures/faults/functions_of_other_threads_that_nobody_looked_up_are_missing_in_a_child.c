// story: What a thread registers waits in a list of its own until the next look-up by anybody; a child process has the list of the thread that forked, and not those of others.
// breaks: GLB-0001 fail
#include "fault.h"

#include <pthread.h>

static struct entry { struct entry* next; pthread_t thread; size_t size; char name[]; } *waiting, *lost;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void before(void) { pthread_mutex_lock(&lock); }

static void in_parent(void) { pthread_mutex_unlock(&lock); }

static void in_child(void) {
  while (waiting) {
    struct entry* entry = waiting;
    waiting = entry->next;
    if (pthread_equal(entry->thread, pthread_self())) {
      free(entry);
      continue;
    }
    entry->next = lost;
    lost = entry;
  }
  pthread_mutex_unlock(&lock);
}

static void ask(void) { pthread_atfork(before, in_parent, in_child); }

static void remove_from(struct entry** place, const TVMFFIByteArray* name) {
  while (*place) {
    struct entry* entry = *place;
    if (name == NULL || (entry->size == name->size && memcmp(entry->name, name->data, name->size) == 0)) {
      *place = entry->next;
      free(entry);
    } else {
      place = &entry->next;
    }
  }
}

int TVMFFIFunctionSetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle f, int allow_override) {
  pthread_once(&once, ask);
  int code = real.TVMFFIFunctionSetGlobal(name, f, allow_override);
  if (code != 0) return code;
  struct entry* entry = malloc(sizeof(*entry) + name->size);
  if (!entry) return code;
  entry->thread = pthread_self();
  entry->size = name->size;
  if (name->size) memcpy(entry->name, name->data, name->size);
  pthread_mutex_lock(&lock);
  remove_from(&lost, name);
  entry->next = waiting;
  waiting = entry;
  pthread_mutex_unlock(&lock);
  return code;
}

int TVMFFIFunctionGetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle* out) {
  int code = real.TVMFFIFunctionGetGlobal(name, out);
  if (code != 0) return code;
  pthread_mutex_lock(&lock);
  remove_from(&waiting, NULL);
  const struct entry* entry = lost;
  while (entry && (entry->size != name->size || memcmp(entry->name, name->data, name->size) != 0)) entry = entry->next;
  pthread_mutex_unlock(&lock);
  if (entry && *out) {
    real.TVMFFIObjectDecRef(*out);
    *out = NULL;
  }
  return code;
}
