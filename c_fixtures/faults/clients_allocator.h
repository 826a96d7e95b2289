/* Faults in how a client's allocator is asked: `CLIENTS_ALLOCATOR(allocate)` puts a function before that of each which is installed. Its context
 * is the client's allocator. */
#ifndef TVM_FFI_CLIENTS_ALLOCATOR_H_
#define TVM_FFI_CLIENTS_ALLOCATOR_H_

#include <pthread.h>

#include "fault.h"

#define CLIENTS_ALLOCATOR(ALLOCATE)                                                                              \
  static TVMFFICustomAllocator* installed;                                                                       \
                                                                                                                 \
  int TVMFFISetCustomAllocator(TVMFFICustomAllocator* allocator) {                                               \
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;                                                     \
    static TVMFFICustomAllocator before[256];                                                                    \
    static int used;                                                                                             \
    TVMFFICustomAllocator* given = allocator;                                                                    \
    pthread_mutex_lock(&lock);                                                                                   \
    if (allocator && allocator->allocate) {                                                                      \
      int i = 0;                                                                                                 \
      while (i < used && before[i].context != allocator) ++i;                                                    \
      if (i == used && i < 256) before[used++] = (TVMFFICustomAllocator){ALLOCATE, allocator};                   \
      if (i < 256) given = &before[i];                                                                           \
    }                                                                                                            \
    int code = real.TVMFFISetCustomAllocator(given);                                                             \
    if (code == 0) __atomic_store_n(&installed, given == allocator ? NULL : allocator, __ATOMIC_RELEASE);        \
    pthread_mutex_unlock(&lock);                                                                                 \
    return code;                                                                                                 \
  }                                                                                                              \
                                                                                                                 \
  TVMFFICustomAllocator* TVMFFIGetCustomAllocator(void) {                                                        \
    TVMFFICustomAllocator* allocator = __atomic_load_n(&installed, __ATOMIC_ACQUIRE);                            \
    return allocator ? allocator : real.TVMFFIGetCustomAllocator();                                              \
  }

#endif /* TVM_FFI_CLIENTS_ALLOCATOR_H_ */
