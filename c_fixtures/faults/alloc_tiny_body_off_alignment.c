// story: The built-in allocator puts a body of up to eight bytes right behind its eight-byte header, also when an alignment of 16 was asked for.
// breaks: ALC-0006 fail
#include "fault.h"

static void give_back(void* body) { free((char*)body - sizeof(TVMFFIObjectAllocHeader)); }

static TVMFFICustomAllocator* built_in;

static void* allocate(size_t size, size_t alignment, int32_t type_index, void* context) {
  if (size > 8) return built_in->allocate(size, alignment, type_index, built_in->context);
  char* memory = malloc(sizeof(TVMFFIObjectAllocHeader) + 8);
  if (!memory) return NULL;
  ((TVMFFIObjectAllocHeader*)memory)->delete_space = give_back;
  return memory + sizeof(TVMFFIObjectAllocHeader);
}

TVMFFICustomAllocator* TVMFFIGetCustomAllocator(void) {
  static TVMFFICustomAllocator own = {allocate, NULL};
  static TVMFFICustomAllocator* first;
  TVMFFICustomAllocator* current = real.TVMFFIGetCustomAllocator();
  if (!first) {
    real.TVMFFISetCustomAllocator(NULL);
    built_in = real.TVMFFIGetCustomAllocator();
    first = built_in;
    if (current != built_in) real.TVMFFISetCustomAllocator(current);
  }
  return current == built_in ? &own : current;
}
