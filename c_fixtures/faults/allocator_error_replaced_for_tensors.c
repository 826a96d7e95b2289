// story: When a custom allocator fails for a Tensor, its error gives way to one of the library's.
// breaks: ALC-0013 fail
#include "clients_allocator.h"

static void* allocate(size_t size, size_t alignment, int32_t type_index, void* context) {
  TVMFFICustomAllocator* client = context;
  void* body = client->allocate(size, alignment, type_index, client->context);
  if (!body && type_index == kTVMFFITensor) refuse("MemoryError", "cannot allocate a Tensor");
  return body;
}

CLIENTS_ALLOCATOR(allocate)
