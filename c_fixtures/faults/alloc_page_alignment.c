// story: The built-in allocator never aligns to more than a page of 4096 bytes.
// breaks: ALC-0006 fail
#include "fault.h"
#include <pthread.h>
static TVMFFICustomAllocator* builtin;
typedef struct { void* inner; void* pad; TVMFFIObjectAllocHeader header; } Front;
static void give_back(void* body) {
  void* inner = ((Front*)((char*)body - sizeof(Front)))->inner;
  ((TVMFFIObjectAllocHeader*)inner - 1)->delete_space(inner);
}
static void* allocate(size_t size, size_t alignment, int32_t type_index, void* context) {
  if (alignment <= 4096) return builtin->allocate(size, alignment, type_index, builtin->context);
  char* inner = builtin->allocate(size + 4096, alignment, type_index, builtin->context);
  if (!inner) return NULL;
  Front* front = (Front*)(inner + 4096 - sizeof(Front));
  front->inner = inner;
  front->header.delete_space = give_back;
  return inner + 4096;
}
static TVMFFICustomAllocator mine = {allocate, NULL};
static void look(void) { builtin = real.TVMFFIGetCustomAllocator(); }
static pthread_once_t once = PTHREAD_ONCE_INIT;
TVMFFICustomAllocator* TVMFFIGetCustomAllocator(void) {
  pthread_once(&once, look);
  TVMFFICustomAllocator* now = real.TVMFFIGetCustomAllocator();
  return now == builtin ? &mine : now;
}
int TVMFFISetCustomAllocator(TVMFFICustomAllocator* allocator) {
  pthread_once(&once, look);
  return real.TVMFFISetCustomAllocator(allocator);
}
