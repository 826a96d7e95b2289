// story: delete_space of the built-in allocator does nothing.
// breaks: ALC-0009 leak
#include "own_allocator.h"

static void keep(void* body) { (void)body; }

static void* allocate(size_t size, size_t alignment, int32_t type_index, void* context) {
  TVMFFICustomAllocator* original = real.TVMFFIGetCustomAllocator();
  (void)context;
  void* body = original->allocate(size, alignment, type_index, original->context);
  if (body) ((TVMFFIObjectAllocHeader*)body)[-1].delete_space = keep;
  return body;
}

OWN_ALLOCATOR(allocate)
