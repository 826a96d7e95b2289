// story: TVMFFITypeKeyToIndex remembers the keys that it did not find, and a registration does not make it forget them.
// breaks: TYP-0009 fail
#include "fault.h"

#include <pthread.h>

struct unknown {
  struct unknown* next;
  size_t size;
  char key[];
};

static struct unknown* all_unknown;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int TVMFFITypeKeyToIndex(const TVMFFIByteArray* key, int32_t* out) {
  if (!key || !out) return real.TVMFFITypeKeyToIndex(key, out);
  pthread_mutex_lock(&lock);
  struct unknown* one = all_unknown;
  while (one && !(one->size == key->size && memcmp(one->key, key->data, key->size) == 0)) one = one->next;
  pthread_mutex_unlock(&lock);
  if (one) return refuse("InternalError", "Cannot find type");
  int code = real.TVMFFITypeKeyToIndex(key, out);
  if (code != 0 && (one = malloc(sizeof(*one) + key->size))) {
    one->size = key->size;
    if (key->size) memcpy(one->key, key->data, key->size);
    pthread_mutex_lock(&lock);
    one->next = all_unknown;
    all_unknown = one;
    pthread_mutex_unlock(&lock);
  }
  return code;
}
