// story: The built-in allocator takes an alignment above 4096 for 4096.
// breaks: ALC-0006 fail
#include "fault.h"

static TVMFFICustomAllocator* built_in;
static TVMFFICustomAllocator ours;

static void give_back(void* body) { free(((void**)body)[-2]); }

static void* allocate(size_t size, size_t alignment, int32_t type_index, void* context) {
  if (alignment <= 4096) return built_in->allocate(size, alignment, type_index, built_in->context);
  void* memory = NULL;
  if (posix_memalign(&memory, alignment, size + 4096) != 0) return NULL;
  void** body = (void**)((char*)memory + 4096);
  body[-1] = (void*)give_back;
  body[-2] = memory;
  return body;
}

TVMFFICustomAllocator* TVMFFIGetCustomAllocator(void) {
  TVMFFICustomAllocator* found = real.TVMFFIGetCustomAllocator();
  static TVMFFICustomAllocator* none;
  if (!__atomic_load_n(&none, __ATOMIC_ACQUIRE)) {
    /* The first to ask, before anybody could have installed one through us: see below. */
    __atomic_store_n(&built_in, found, __ATOMIC_RELEASE);
    ours.allocate = allocate;
    ours.context = NULL;
    __atomic_store_n(&none, found, __ATOMIC_RELEASE);
  }
  return found == none ? &ours : found;
}

int TVMFFISetCustomAllocator(TVMFFICustomAllocator* allocator) {
  TVMFFIGetCustomAllocator();
  return real.TVMFFISetCustomAllocator(allocator == &ours ? built_in : allocator);
}
