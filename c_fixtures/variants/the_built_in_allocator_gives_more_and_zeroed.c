// story: The built-in allocator returns zeroed bodies at multiples of 128 with 256 bytes more than were asked for, each in a mapping or block that begins further in front.
// admitted: ALC-0006 to ALC-0010: the alignment asked for, the header right before the body, the whole size; nothing limits what is given beyond that, or says that it is malloc's.
#include "fault.h"

#include "own_allocator.h"

static void delete_space(void* body) { free(((void**)body)[-2]); }

static void* allocate(size_t size, size_t alignment, int32_t type_index, void* context) {
  (void)type_index;
  (void)context;
  if (alignment < 128) alignment = 128;
  if (size > SIZE_MAX / 2 || alignment > SIZE_MAX / 4) {
    refuse("MemoryError", "no memory has so much room");
    return NULL;
  }
  char* block = calloc(1, size + 256 + 2 * alignment);
  if (!block) {
    refuse("MemoryError", "no memory for an object");
    return NULL;
  }
  void** body = (void**)(((uintptr_t)block + 2 * sizeof(void*) + alignment - 1) / alignment * alignment);
  body[-1] = (void*)delete_space;
  body[-2] = block;
  return body;
}

OWN_ALLOCATOR(allocate)
