// story: A custom allocator is asked for a String where Bytes are made, as both share the code.
// breaks: ALC-0012 fail
#include "clients_allocator.h"

static void* allocate(size_t size, size_t alignment, int32_t type_index, void* context) {
  TVMFFICustomAllocator* client = context;
  return client->allocate(size, alignment, type_index == kTVMFFIBytes ? kTVMFFIStr : type_index, client->context);
}

CLIENTS_ALLOCATOR(allocate)
