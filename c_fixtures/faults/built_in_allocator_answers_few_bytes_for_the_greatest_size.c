// story: The built-in allocator adds the room for its header to the size without a look at the sum: for the last sizes before the greatest it answers a body of a few bytes.
// breaks: ALC-0016 fail
#include "fault.h"

static TVMFFICustomAllocator ours;
static TVMFFICustomAllocator* theirs;

static void* allocate(size_t size, size_t alignment, int32_t type_index, void* context) {
  const size_t header = 16;
  if (size + header < size) size += header;
  return theirs->allocate(size, alignment, type_index, context);
}

TVMFFICustomAllocator* TVMFFIGetCustomAllocator(void) {
  TVMFFICustomAllocator* allocator = real.TVMFFIGetCustomAllocator();
  static TVMFFICustomAllocator* built_in;
  if (!built_in) {
    theirs = built_in = allocator;
    ours = (TVMFFICustomAllocator){allocate, allocator->context};
  }
  return allocator == built_in ? &ours : allocator;
}

int TVMFFISetCustomAllocator(TVMFFICustomAllocator* allocator) {
  return real.TVMFFISetCustomAllocator(allocator == &ours ? theirs : allocator);
}
