// story: The built-in allocator gives no more alignment than a page, whatever is asked for.
// breaks: ALC-0006 fail
#include "fault.h"
static TVMFFICustomAllocator* builtin;
static void give_back(void* body) { free(((void**)body)[-2]); }
static void* allocate(size_t size, size_t alignment, int32_t type_index, void* context) {
  if (alignment <= 4096) return builtin->allocate(size, alignment, type_index, builtin->context);
  void* base = NULL;
  if (posix_memalign(&base, alignment, size + alignment + 4096) != 0) { refuse("MemoryError", "out of memory"); return NULL; }
  char* body = (char*)base + 4096;
  ((void**)body)[-2] = base;
  ((TVMFFIObjectAllocHeader*)body)[-1].delete_space = give_back;
  return body;
}
static TVMFFICustomAllocator mine = {allocate, NULL};
static int installed;
TVMFFICustomAllocator* TVMFFIGetCustomAllocator(void) {
  if (__atomic_load_n(&installed, __ATOMIC_ACQUIRE)) return real.TVMFFIGetCustomAllocator();
  __atomic_store_n(&builtin, real.TVMFFIGetCustomAllocator(), __ATOMIC_RELEASE);
  return &mine;
}
int TVMFFISetCustomAllocator(TVMFFICustomAllocator* allocator) {
  if (allocator == &mine) allocator = NULL;
  int code = real.TVMFFISetCustomAllocator(allocator);
  __atomic_store_n(&installed, allocator != NULL, __ATOMIC_RELEASE);
  return code;
}
