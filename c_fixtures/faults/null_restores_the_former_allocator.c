// story: Setting NULL brings back the allocator that was installed before the last one, not the built-in one.
// breaks: ALC-0004 fail
#include <pthread.h>
#include "fault.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static TVMFFICustomAllocator *current, *former;

int TVMFFISetCustomAllocator(TVMFFICustomAllocator* allocator) {
  pthread_mutex_lock(&lock);
  if (allocator) {
    former = current;
    current = allocator;
  } else {
    current = former;
    former = NULL;
  }
  int code = real.TVMFFISetCustomAllocator(current);
  pthread_mutex_unlock(&lock);
  return code;
}
