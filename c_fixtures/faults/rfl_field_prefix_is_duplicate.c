// story: A field whose name is the beginning of the name of a field registered before for the type is refused as a duplicate.
// breaks: RFL-0002 fail

#include "fault.h"

#include <pthread.h>

static struct entry {
  struct entry* next;
  int32_t type_index;
  char name[64];
}* entries;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int TVMFFITypeRegisterField(int32_t type_index, const TVMFFIFieldInfo* info) {
  if (!info || !info->name.data || info->name.size >= 64) return real.TVMFFITypeRegisterField(type_index, info);
  pthread_mutex_lock(&lock);
  struct entry* found = entries;
  while (found && (found->type_index != type_index || strncmp(found->name, info->name.data, info->name.size) != 0)) {
    found = found->next;
  }
  pthread_mutex_unlock(&lock);
  if (found) return refuse("InternalError", "Duplicate field name");
  int code = real.TVMFFITypeRegisterField(type_index, info);
  struct entry* made = code == 0 ? calloc(1, sizeof(*made)) : NULL;
  if (!made) return code;
  made->type_index = type_index;
  memcpy(made->name, info->name.data, info->name.size);
  pthread_mutex_lock(&lock);
  made->next = entries;
  entries = made;
  pthread_mutex_unlock(&lock);
  return 0;
}
