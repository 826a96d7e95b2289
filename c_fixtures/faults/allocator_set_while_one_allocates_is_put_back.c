// story: While an installed allocator is asked for memory the library guards itself: an allocator that is set by it meanwhile, or taken away, is put back.
// breaks: ALC-0003 fail
#include "fault.h"

static void* allocate(size_t size, size_t alignment, int32_t type_index, void* context);

static TVMFFICustomAllocator *current, *built_in;
static TVMFFICustomAllocator ours = {allocate, NULL};
static __thread int inside;

TVMFFICustomAllocator* TVMFFIGetCustomAllocator(void) {
  TVMFFICustomAllocator* now = __atomic_load_n(&current, __ATOMIC_ACQUIRE);
  return now ? now : real.TVMFFIGetCustomAllocator();
}

int TVMFFISetCustomAllocator(TVMFFICustomAllocator* allocator) {
  if (inside) return 0; /* What was there is put back behind the allocation. */
  if (!__atomic_load_n(&current, __ATOMIC_ACQUIRE)) {
    __atomic_store_n(&built_in, real.TVMFFIGetCustomAllocator(), __ATOMIC_RELEASE);
  }
  if (allocator == __atomic_load_n(&built_in, __ATOMIC_ACQUIRE)) allocator = NULL;
  __atomic_store_n(&current, allocator, __ATOMIC_RELEASE);
  return real.TVMFFISetCustomAllocator(allocator ? &ours : NULL);
}

static void* allocate(size_t size, size_t alignment, int32_t type_index, void* context) {
  TVMFFICustomAllocator* now = __atomic_load_n(&current, __ATOMIC_ACQUIRE);
  if (!now) now = __atomic_load_n(&built_in, __ATOMIC_ACQUIRE);
  int was = inside;
  inside = 1;
  void* body = now->allocate(size, alignment, type_index, now->context);
  inside = was;
  return body;
}
