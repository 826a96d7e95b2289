// story: The header before a body of the built-in allocator has no delete_space.
// breaks: ALC-0007 fail
#include "fault.h"

static void* allocate(size_t size, size_t alignment, int32_t type_index, void* context) {
  TVMFFICustomAllocator* original = real.TVMFFIGetCustomAllocator();
  (void)context;
  void* body = original->allocate(size, alignment, type_index, original->context);
  if (body) ((TVMFFIObjectAllocHeader*)body - 1)->delete_space = NULL;
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
