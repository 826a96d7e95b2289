/* Faults in the built-in allocator: `OWN_ALLOCATOR(allocate)` puts another in its place. */
#ifndef TVM_FFI_OWN_ALLOCATOR_H_
#define TVM_FFI_OWN_ALLOCATOR_H_

#include "fault.h"

#define OWN_ALLOCATOR(ALLOCATE)                                                                                  \
  static TVMFFICustomAllocator built_in = {ALLOCATE, NULL};                                                      \
  static TVMFFICustomAllocator* installed = &built_in;                                                           \
                                                                                                                 \
  int TVMFFISetCustomAllocator(TVMFFICustomAllocator* allocator) {                                               \
    int code = real.TVMFFISetCustomAllocator(allocator);                                                         \
    if (code == 0) __atomic_store_n(&installed, allocator ? allocator : &built_in, __ATOMIC_RELEASE);            \
    return code;                                                                                                 \
  }                                                                                                              \
                                                                                                                 \
  TVMFFICustomAllocator* TVMFFIGetCustomAllocator(void) { return __atomic_load_n(&installed, __ATOMIC_ACQUIRE); }

#endif /* TVM_FFI_OWN_ALLOCATOR_H_ */
