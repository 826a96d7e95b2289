/* What faults of the split generation share, beside fault.h of today's. */
#ifndef TVM_FFI_SPLIT_FAULT_H_
#define TVM_FFI_SPLIT_FAULT_H_

#include "../faults/fault.h"

/** Whether an object is one of a client's own, of no type in particular: most faults break these alone. */
static inline int is_client(TVMFFIObjectHandle object) { return ((TVMFFIObject*)object)->type_index == kTVMFFIObject; }

/** Takes one from the strong count; whether it was the last. */
static inline int was_last(TVMFFIObject* object) {
  return __atomic_fetch_sub(&object->strong_ref_count, 1, __ATOMIC_ACQ_REL) == 1;
}

/** Whether the strong references alone hold the memory. */
static inline int nobody_else(TVMFFIObject* object) {
  return __atomic_load_n(&object->weak_ref_count, __ATOMIC_ACQUIRE) == 1;
}

/** Takes one from the weak count; whether it was the last. */
static inline int was_last_weak(TVMFFIObject* object) {
  return __atomic_fetch_sub(&object->weak_ref_count, 1, __ATOMIC_ACQ_REL) == 1;
}

/** Calls the deleter, if there is one. */
static inline void end(TVMFFIObject* object, int flags) {
  if (object->deleter) object->deleter(object, flags);
}

/** Ends an object as it should be, when its last strong reference is gone. */
static inline void end_well(TVMFFIObject* object) {
  if (nobody_else(object)) {
    end(object, 3);
  } else {
    end(object, 1);
    if (was_last_weak(object)) end(object, 2);
  }
}

static inline TVMFFIErrorCell* cell_of(TVMFFIObjectHandle error) {
  return (TVMFFIErrorCell*)((TVMFFIObject*)error + 1);
}

#endif /* TVM_FFI_SPLIT_FAULT_H_ */
