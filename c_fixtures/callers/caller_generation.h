/* What callers of today's generation have otherwise than those of others. */
#ifndef TVM_FFI_CALLER_GENERATION_H_
#define TVM_FFI_CALLER_GENERATION_H_

#define CALLER_HAS_ACCESSORS

/** The counts of an object, as one atomic word. */
static inline uint64_t counts_of(TVMFFIObjectHandle object) {
  return __atomic_load_n(&((TVMFFIObject*)object)->combined_ref_count, __ATOMIC_ACQUIRE);
}

static inline uint32_t strong_count_of(TVMFFIObjectHandle object) { return (uint32_t)counts_of(object); }

#endif /* TVM_FFI_CALLER_GENERATION_H_ */
