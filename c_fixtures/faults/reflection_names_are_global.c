// story: A name of a field belongs to the type that had it first; no other type gets such a field.
// breaks: RFL-0010 fail
#include <pthread.h>

#include "fault.h"

/* The type that had a field of this name first: this one, if there was none. */
static int32_t owner_of(const TVMFFIByteArray* name, int32_t type_index) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static char names[256][32];
  static int32_t owners[256], count;
  pthread_mutex_lock(&lock);
  int32_t i = 0;
  while (i < count && !is(name, names[i])) ++i;
  if (i == count && count < 256) {
    memcpy(names[count], name->data, name->size);
    owners[count++] = type_index;
  }
  int32_t owner = i < count ? owners[i] : type_index;
  pthread_mutex_unlock(&lock);
  return owner;
}

int TVMFFITypeRegisterField(int32_t type_index, const TVMFFIFieldInfo* info) {
  if (info && info->name.size < 32 && owner_of(&info->name, type_index) != type_index) return 0;
  return real.TVMFFITypeRegisterField(type_index, info);
}
