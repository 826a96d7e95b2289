// story: A second method of a name that the type has already, an overload, is dropped without an error.
// breaks: RFL-0016 fail
#include "fault.h"
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct seen { struct seen* next; int32_t type_index; size_t size; char name[]; } *all;
int TVMFFITypeRegisterMethod(int32_t type_index, const TVMFFIMethodInfo* info) {
  if (!info) return real.TVMFFITypeRegisterMethod(type_index, info);
  pthread_mutex_lock(&lock);
  struct seen* seen = all;
  while (seen && !(seen->type_index == type_index && seen->size == info->name.size && memcmp(seen->name, info->name.data, seen->size) == 0)) seen = seen->next;
  int code = seen ? 0 : real.TVMFFITypeRegisterMethod(type_index, info);
  if (!seen && code == 0) {
    seen = malloc(sizeof *seen + info->name.size);
    seen->type_index = type_index;
    seen->size = info->name.size;
    memcpy(seen->name, info->name.data, seen->size);
    seen->next = all;
    all = seen;
  }
  pthread_mutex_unlock(&lock);
  return code;
}
