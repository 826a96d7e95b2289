/* What callers of the split generation have otherwise than those of today's. */
#ifndef TVM_FFI_CALLER_GENERATION_H_
#define TVM_FFI_CALLER_GENERATION_H_

static inline uint64_t strong_count_of(TVMFFIObjectHandle object) {
  return __atomic_load_n(&((TVMFFIObject*)object)->strong_ref_count, __ATOMIC_ACQUIRE);
}

static inline uint32_t weak_count_of(TVMFFIObjectHandle object) {
  return __atomic_load_n(&((TVMFFIObject*)object)->weak_ref_count, __ATOMIC_ACQUIRE);
}

/** Takes a weak reference, as clients do. */
static inline void take_weak(TVMFFIObjectHandle object) {
  __atomic_fetch_add(&((TVMFFIObject*)object)->weak_ref_count, 1, __ATOMIC_RELAXED);
}

/** Gives a weak reference up, as clients do. */
static inline void drop_weak(TVMFFIObjectHandle object) {
  TVMFFIObject* header = (TVMFFIObject*)object;
  if (__atomic_fetch_sub(&header->weak_ref_count, 1, __ATOMIC_ACQ_REL) == 1 && header->deleter) {
    header->deleter(header, kTVMFFIObjectDeleterFlagBitMaskWeak);
  }
}

/** Makes a strong reference of a weak one, as clients do: whether the object had not ended. */
static inline int promote(TVMFFIObjectHandle object) {
  uint64_t* strong = &((TVMFFIObject*)object)->strong_ref_count;
  uint64_t count = __atomic_load_n(strong, __ATOMIC_RELAXED);
  while (count > 0) {
    if (__atomic_compare_exchange_n(strong, &count, count + 1, 1, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) return 1;
  }
  return 0;
}

#endif /* TVM_FFI_CALLER_GENERATION_H_ */
