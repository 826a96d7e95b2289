// story: The header before a body of the built-in allocator has no delete_space.
// breaks: ALC-0007 fail
#include "own_allocator.h"

static void* allocate(size_t size, size_t alignment, int32_t type_index, void* context) {
  TVMFFICustomAllocator* original = real.TVMFFIGetCustomAllocator();
  (void)context;
  void* body = original->allocate(size, alignment, type_index, original->context);
  if (body) ((TVMFFIObjectAllocHeader*)body - 1)->delete_space = NULL;
  return body;
}

OWN_ALLOCATOR(allocate)
