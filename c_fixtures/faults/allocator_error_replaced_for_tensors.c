// story: When a custom allocator fails for a Tensor, its error gives way to one of the library's.
// breaks: ALC-0013 fail
#include "fault.h"
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static TVMFFICustomAllocator wrappers[256];
static int used;
static TVMFFICustomAllocator* installed;
static void* allocate(size_t size, size_t alignment, int32_t type_index, void* context) {
  TVMFFICustomAllocator* client = context;
  void* body = client->allocate(size, alignment, type_index, client->context);
  if (!body && type_index == kTVMFFITensor) refuse("MemoryError", "cannot allocate a Tensor");
  return body;
}
int TVMFFISetCustomAllocator(TVMFFICustomAllocator* a) {
  TVMFFICustomAllocator* given = a;
  pthread_mutex_lock(&lock);
  if (a && a->allocate) {
    int i = 0;
    while (i < used && wrappers[i].context != a) ++i;
    if (i < 256) {
      if (i == used) wrappers[used++] = (TVMFFICustomAllocator){allocate, a};
      given = &wrappers[i];
    }
  }
  int code = real.TVMFFISetCustomAllocator(given);
  if (code == 0) __atomic_store_n(&installed, given == a ? NULL : a, __ATOMIC_RELEASE);
  pthread_mutex_unlock(&lock);
  return code;
}
TVMFFICustomAllocator* TVMFFIGetCustomAllocator(void) {
  TVMFFICustomAllocator* a = __atomic_load_n(&installed, __ATOMIC_ACQUIRE);
  return a ? a : real.TVMFFIGetCustomAllocator();
}
