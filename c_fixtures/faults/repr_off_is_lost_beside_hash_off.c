// story: A field that is left out of the recursive hash is printed though it is flagged ReprOff: the two flags are told apart by an else.
// breaks: HOK-0014 fail
#include <pthread.h>

#include "changed_record.h"

static struct hidden { int32_t type_index; size_t offset; } all_hidden[4096];
static int num_hidden;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int TVMFFITypeRegisterField(int32_t type_index, const TVMFFIFieldInfo* info) {
  const int64_t both = kTVMFFIFieldFlagBitMaskReprOff | kTVMFFIFieldFlagBitMaskHashOff;
  if (!info || (info->flags & both) != both) return real.TVMFFITypeRegisterField(type_index, info);
  TVMFFIFieldInfo shown = *info;
  shown.flags &= ~(int64_t)kTVMFFIFieldFlagBitMaskReprOff;
  pthread_mutex_lock(&lock);
  int code = real.TVMFFITypeRegisterField(type_index, &shown);
  if (code == 0 && num_hidden < 4096) {
    all_hidden[num_hidden] = (struct hidden){type_index, info->offset};
    __atomic_store_n(&num_hidden, num_hidden + 1, __ATOMIC_RELEASE);
  }
  pthread_mutex_unlock(&lock);
  return code;
}

static int has_hidden(const TVMFFITypeInfo* info) {
  for (int i = __atomic_load_n(&num_hidden, __ATOMIC_ACQUIRE) - 1; i >= 0; --i) {
    if (all_hidden[i].type_index == info->type_index) return 1;
  }
  return 0;
}

static void change(TVMFFITypeInfo* record) {
  for (int i = __atomic_load_n(&num_hidden, __ATOMIC_ACQUIRE) - 1; i >= 0; --i) {
    for (int32_t k = 0; all_hidden[i].type_index == record->type_index && k < record->num_fields; ++k) {
      TVMFFIFieldInfo* field = &fields_of(record)[k];
      if ((size_t)field->offset == all_hidden[i].offset && (field->flags & kTVMFFIFieldFlagBitMaskHashOff)) {
        field->flags |= kTVMFFIFieldFlagBitMaskReprOff;
      }
    }
  }
}

CHANGED_RECORDS(has_hidden, change)
