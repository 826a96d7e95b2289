// story: The ancestors of a type with a grandparent are copies of the records at the time of its registration, so fields that are registered later for the root do not show.
// breaks: TYP-0023 fail
#include "changed_record.h"

#include <pthread.h>

static struct { const TVMFFITypeInfo* copies[8]; } all[1 << 14];
static TVMFFITypeInfo frozen[1 << 14];

static int is_deep(const TVMFFITypeInfo* info) {
  return info->type_index < (1 << 14) && info->type_depth >= 2 && info->type_depth <= 8 && all[info->type_index].copies[0];
}

static void change(TVMFFITypeInfo* record) { record->type_ancestors = all[record->type_index].copies; }
CHANGED_RECORDS(is_deep, change)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int used;

int32_t TVMFFITypeGetOrAllocIndex(const TVMFFIByteArray* key, int32_t index, int32_t depth, int32_t slots, int32_t overflow, int32_t parent) {
  int32_t got = real.TVMFFITypeGetOrAllocIndex(key, index, depth, slots, overflow, parent);
  if (parent < 128 || got < 0 || got >= (1 << 14)) return got;
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(got);
  if (!info || info->type_depth < 2 || info->type_depth > 8) return got;
  pthread_mutex_lock(&lock);
  if (!all[got].copies[0] && used + 8 < (1 << 14)) {
    for (int32_t i = info->type_depth - 1; i >= 0; --i) {
      frozen[used] = *info->type_ancestors[i];
      __atomic_store_n(&all[got].copies[i], &frozen[used++], __ATOMIC_RELEASE);
    }
  }
  pthread_mutex_unlock(&lock);
  return got;
}
