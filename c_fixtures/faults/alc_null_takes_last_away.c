// story: TVMFFISetCustomAllocator with NULL takes the allocator away that was installed last, and the one before it is in use again.
// breaks: ALC-0004 fail

#include "fault.h"

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static TVMFFICustomAllocator* stack[16];
static unsigned depth;

int TVMFFISetCustomAllocator(TVMFFICustomAllocator* allocator) {
  pthread_mutex_lock(&lock);
  if (allocator && depth < 16) {
    stack[depth++] = allocator;
  } else if (!allocator) {
    if (depth > 0) --depth;
    if (depth > 0) allocator = stack[depth - 1];
  }
  int code = real.TVMFFISetCustomAllocator(allocator);
  pthread_mutex_unlock(&lock);
  return code;
}
