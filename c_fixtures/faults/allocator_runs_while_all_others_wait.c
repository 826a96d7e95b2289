// story: An installed allocator is called under a lock, that of the thread's own calls excepted: another thread that needs an object waits until it has answered.
// breaks: FUN-0026 timeout
#define _GNU_SOURCE
#include "fault.h"

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static TVMFFICustomAllocator* installed;
static TVMFFICustomAllocator* built_in;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void find_built_in(void) { built_in = real.TVMFFIGetCustomAllocator(); }

static void* allocate(size_t size, size_t alignment, int32_t type_index, void* context) {
  TVMFFICustomAllocator* own = __atomic_load_n(&installed, __ATOMIC_ACQUIRE);
  if (own == NULL) own = built_in;
  pthread_mutex_lock(&lock);
  void* body = own->allocate(size, alignment, type_index, own->context);
  pthread_mutex_unlock(&lock);
  return body;
}

static TVMFFICustomAllocator in_turn = {allocate, NULL};

int TVMFFISetCustomAllocator(TVMFFICustomAllocator* allocator) {
  pthread_once(&once, find_built_in);
  __atomic_store_n(&installed, allocator, __ATOMIC_RELEASE);
  return real.TVMFFISetCustomAllocator(allocator ? &in_turn : NULL);
}

TVMFFICustomAllocator* TVMFFIGetCustomAllocator(void) {
  TVMFFICustomAllocator* own = __atomic_load_n(&installed, __ATOMIC_ACQUIRE);
  return own ? own : real.TVMFFIGetCustomAllocator();
}
