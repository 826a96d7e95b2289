// story: Bodies of 64 KiB and more are taken from the C heap, past the installed allocator.
// breaks: ALC-0012 fail
#include "fault.h"
static TVMFFICustomAllocator* client;
static void give_back(void* body) { free(((void**)body)[-2]); }
static void* allocate(size_t size, size_t alignment, int32_t type_index, void* context) {
  TVMFFICustomAllocator* to = __atomic_load_n(&client, __ATOMIC_ACQUIRE);
  if (!to) return real.TVMFFIGetCustomAllocator()->allocate(size, alignment, type_index, context);
  if (size < 65536) return to->allocate(size, alignment, type_index, to->context);
  if (alignment < 16) alignment = 16;
  char* base = malloc(size + 2 * alignment);
  if (!base) { refuse("MemoryError", "out of memory"); return NULL; }
  char* body = (char*)(((uintptr_t)base + 16 + alignment - 1) / alignment * alignment);
  ((void**)body)[-2] = base;
  ((TVMFFIObjectAllocHeader*)body)[-1].delete_space = give_back;
  return body;
}
static TVMFFICustomAllocator between = {allocate, NULL};
TVMFFICustomAllocator* TVMFFIGetCustomAllocator(void) {
  TVMFFICustomAllocator* now = __atomic_load_n(&client, __ATOMIC_ACQUIRE);
  return now ? now : real.TVMFFIGetCustomAllocator();
}
int TVMFFISetCustomAllocator(TVMFFICustomAllocator* allocator) {
  if (!allocator) { int code = real.TVMFFISetCustomAllocator(NULL); __atomic_store_n(&client, NULL, __ATOMIC_RELEASE); return code; }
  __atomic_store_n(&client, allocator, __ATOMIC_RELEASE);
  return real.TVMFFISetCustomAllocator(&between);
}
