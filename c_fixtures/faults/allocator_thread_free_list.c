// story: The built-in allocator keeps small bodies that are given back in a list of the thread, which nobody frees when the thread ends.
// breaks: ALC-0009 leak
#include "fault.h"

struct chunk { struct chunk* next; TVMFFIObjectAllocHeader header; };
static __thread struct chunk* free_small;

static void delete_small(void* body) {
  struct chunk* chunk = (struct chunk*)body - 1;
  chunk->next = free_small;
  free_small = chunk;
}

static void delete_large(void* body) { free((struct chunk*)body - 1); }

static TVMFFICustomAllocator* installed;

static void* allocate(size_t size, size_t alignment, int32_t type_index, void* context) {
  struct chunk* chunk;
  if (alignment > 16) {
    real.TVMFFISetCustomAllocator(NULL);
    TVMFFICustomAllocator* other = real.TVMFFIGetCustomAllocator();
    real.TVMFFISetCustomAllocator(installed);
    return other->allocate(size, alignment, type_index, other->context);
  }
  if (size <= 256) {
    if (free_small) {
      chunk = free_small;
      free_small = chunk->next;
    } else {
      chunk = malloc(sizeof *chunk + 256);
    }
    chunk->header.delete_space = delete_small;
  } else {
    chunk = malloc(sizeof *chunk + size);
    chunk->header.delete_space = delete_large;
  }
  return chunk + 1;
}

static TVMFFICustomAllocator builtin = {allocate, NULL};

TVMFFICustomAllocator* TVMFFIGetCustomAllocator(void) { return installed ? installed : &builtin; }

int TVMFFISetCustomAllocator(TVMFFICustomAllocator* allocator) {
  installed = allocator;
  return real.TVMFFISetCustomAllocator(allocator);
}
