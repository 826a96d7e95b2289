// story: The built-in allocator keeps the latest body that was given back in one place, which threads read without a lock.
// breaks: ALC-0010 fail
#include "fault.h"

#include <unistd.h>

static void* spare;

static void give_back(void* body) { spare = body; }

static void* allocate(size_t size, size_t alignment, int32_t type_index, void* context) {
  TVMFFICustomAllocator* original = real.TVMFFIGetCustomAllocator();
  (void)context;
  void* body = size == 64 ? spare : NULL;
  if (body) {
    usleep(50);
    spare = NULL;
    return body;
  }
  body = original->allocate(size, alignment, type_index, original->context);
  if (body && size == 64) ((TVMFFIObjectAllocHeader*)body - 1)->delete_space = give_back;
  return body;
}

static TVMFFICustomAllocator built_in = {allocate, NULL};
static TVMFFICustomAllocator* installed = &built_in;

int TVMFFISetCustomAllocator(TVMFFICustomAllocator* allocator) {
  int code = real.TVMFFISetCustomAllocator(allocator);
  if (code == 0) __atomic_store_n(&installed, allocator ? allocator : &built_in, __ATOMIC_RELEASE);
  return code;
}

TVMFFICustomAllocator* TVMFFIGetCustomAllocator(void) { return __atomic_load_n(&installed, __ATOMIC_ACQUIRE); }
