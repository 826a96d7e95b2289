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
    (*place)->num_fields = info->num_fields;
    (*place)->num_methods = info->num_methods;
    (*place)->fields = info->fields;
    (*place)->methods = info->methods;
    (*place)->metadata = info->metadata;
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
