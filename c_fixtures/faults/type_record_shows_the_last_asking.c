// story: TVMFFIGetTypeInfo brings the record of a type up to date when it is asked for it, so one that a client keeps does not show what is registered later.
// breaks: RFL-0009 fail
#include "fault.h"
#include <pthread.h>

static TVMFFITypeInfo* records[1 << 16];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static TVMFFITypeInfo* record_of(const TVMFFITypeInfo* info, int refresh) {
  TVMFFITypeInfo** place = &records[info->type_index];
  if (!*place) {
    TVMFFITypeInfo* record = malloc(sizeof *record);
    *record = *info;
    record->type_ancestors = malloc(info->type_depth * sizeof(void*) + 1);
    for (int i = 0; i < info->type_depth; ++i) record->type_ancestors[i] = record_of(info->type_ancestors[i], 0);
    *place = record;
  } else if (refresh) {
    /* The counts come last, for those who read them first. */
    const int32_t num_fields = __atomic_load_n(&info->num_fields, __ATOMIC_ACQUIRE);
    const int32_t num_methods = __atomic_load_n(&info->num_methods, __ATOMIC_ACQUIRE);
    (*place)->fields = info->fields;
    (*place)->methods = info->methods;
    (*place)->metadata = info->metadata;
    __atomic_store_n(&(*place)->num_fields, num_fields, __ATOMIC_RELEASE);
    __atomic_store_n(&(*place)->num_methods, num_methods, __ATOMIC_RELEASE);
  }
  return *place;
}

const TVMFFITypeInfo* TVMFFIGetTypeInfo(int32_t type_index) {
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(type_index);
  if (!info || type_index < 0 || type_index >= 1 << 16) return info;
  pthread_mutex_lock(&lock);
  info = record_of(info, 1);
  pthread_mutex_unlock(&lock);
  return info;
}
