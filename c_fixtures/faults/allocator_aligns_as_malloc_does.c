// story: The built-in allocator ignores the alignment that it is asked for, which malloc gives as long as it is small.
// breaks: ALC-0006 fail
#include "own_allocator.h"

static void free_storage(void* body) { free((char*)body - 16); }

static void* allocate(size_t size, size_t alignment, int32_t type_index, void* context) {
  (void)alignment, (void)type_index, (void)context;
  char* body = (char*)malloc(16 + size) + 16;
  ((TVMFFIObjectAllocHeader*)body - 1)->delete_space = free_storage;
  return body;
}

OWN_ALLOCATOR(allocate)
