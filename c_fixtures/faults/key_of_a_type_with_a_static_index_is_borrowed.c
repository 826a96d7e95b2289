// story: The key of a type that names its index is taken for a literal and not copied: its record refers to the bytes where the caller keeps them.
// breaks: TYP-0020 fail
#include "changed_record.h"

static const char* callers_keys[kTVMFFIDynObjectBegin];

int32_t TVMFFITypeGetOrAllocIndex(const TVMFFIByteArray* type_key, int32_t static_type_index, int32_t type_depth,
                                  int32_t num_child_slots, int32_t child_slots_can_overflow,
                                  int32_t parent_type_index) {
  int32_t index = real.TVMFFITypeGetOrAllocIndex(type_key, static_type_index, type_depth, num_child_slots,
                                                 child_slots_can_overflow, parent_type_index);
  const char* nobody = NULL;
  if (static_type_index >= 0 && index == static_type_index && index < kTVMFFIDynObjectBegin) {
    __atomic_compare_exchange_n(&callers_keys[index], &nobody, type_key->data, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
  }
  return index;
}

static const char* callers_key(const TVMFFITypeInfo* info) {
  if (info->type_index >= kTVMFFIDynObjectBegin) return NULL;
  return __atomic_load_n(&callers_keys[info->type_index], __ATOMIC_ACQUIRE);
}

static int is_changed(const TVMFFITypeInfo* info) { return callers_key(info) != NULL; }

static void change(TVMFFITypeInfo* record) { record->type_key.data = callers_key(record); }

CHANGED_RECORDS(is_changed, change)
