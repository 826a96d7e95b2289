/** What faults are written with in which the key of a type stays the caller's. */
#ifndef TVM_FFI_BORROWED_KEY_H_
#define TVM_FFI_BORROWED_KEY_H_

#include "changed_record.h"

static const char* callers_keys[1 << 16];

/** Which types keep the key of the caller who registered them first: by the index that they got and the one that was named. */
static int is_borrowed(int32_t index, int32_t static_type_index);

int32_t TVMFFITypeGetOrAllocIndex(const TVMFFIByteArray* type_key, int32_t static_type_index, int32_t type_depth,
                                  int32_t num_child_slots, int32_t child_slots_can_overflow,
                                  int32_t parent_type_index) {
  int32_t index = real.TVMFFITypeGetOrAllocIndex(type_key, static_type_index, type_depth, num_child_slots,
                                                 child_slots_can_overflow, parent_type_index);
  const char* nobody = NULL;
  if (index >= 0 && index < 1 << 16 && is_borrowed(index, static_type_index)) {
    __atomic_compare_exchange_n(&callers_keys[index], &nobody, type_key->data, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
  }
  return index;
}

static const char* callers_key(const TVMFFITypeInfo* info) {
  return __atomic_load_n(&callers_keys[info->type_index], __ATOMIC_ACQUIRE);
}

static int is_changed(const TVMFFITypeInfo* info) { return callers_key(info) != NULL; }

static void change(TVMFFITypeInfo* record) { record->type_key.data = callers_key(record); }

CHANGED_RECORDS(is_changed, change)

#endif /* TVM_FFI_BORROWED_KEY_H_ */
