// story: The records of types move to a larger array when the thousandth type is registered.
// breaks: TYP-0014 fail
#include "changed_record.h"

static int registered;

int32_t TVMFFITypeGetOrAllocIndex(const TVMFFIByteArray* type_key, int32_t static_type_index, int32_t type_depth,
                                  int32_t num_child_slots, int32_t child_slots_can_overflow,
                                  int32_t parent_type_index) {
  __atomic_add_fetch(&registered, 1, __ATOMIC_RELAXED);
  return real.TVMFFITypeGetOrAllocIndex(type_key, static_type_index, type_depth, num_child_slots,
                                        child_slots_can_overflow, parent_type_index);
}

static int have_moved(const TVMFFITypeInfo* info) {
  (void)info;
  return __atomic_load_n(&registered, __ATOMIC_RELAXED) >= 1000;
}

/* The copy itself is the change. */
static void change(TVMFFITypeInfo* record) { (void)record; }

CHANGED_RECORDS(have_moved, change)
