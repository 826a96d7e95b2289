// story: delete_space of the built-in allocator does nothing.
// breaks: ALC-0009 leak
#include "fault.h"

static void* (*real_allocate)(size_t size, size_t alignment, int32_t type_index, void* context);

static void keep(void* body) { (void)body; }

static void* allocate(size_t size, size_t alignment, int32_t type_index, void* context) {
  void* body = real_allocate(size, alignment, type_index, context);
  if (body) ((TVMFFIObjectAllocHeader*)body)[-1].delete_space = keep;
  return body;
}

TVMFFICustomAllocator* TVMFFIGetCustomAllocator(void) {
  static TVMFFICustomAllocator built_in;
  TVMFFICustomAllocator* current = real.TVMFFIGetCustomAllocator();
  if (!real_allocate) {
    real_allocate = current->allocate;
    built_in = *current;
    built_in.allocate = allocate;
  }
  return current->allocate == real_allocate ? &built_in : current;
}
