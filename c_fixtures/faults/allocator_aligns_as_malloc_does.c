// story: The built-in allocator ignores the alignment that it is asked for, which malloc gives as long as it is small.
// breaks: ALC-0006 fail
#include "fault.h"

static void free_storage(void* body) { free((char*)body - 16); }

static void* allocate(size_t size, size_t alignment, int32_t type_index, void* context) {
  (void)alignment, (void)type_index, (void)context;
  char* body = (char*)malloc(16 + size) + 16;
  ((TVMFFIObjectAllocHeader*)body - 1)->delete_space = free_storage;
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
