// story: Bodies of the built-in allocator that are asked for one after the other share their last eight bytes.
// breaks: ALC-0008 fail
#include "own_allocator.h"

static char arena[1 << 20];
static size_t used = 16;

static void keep(void* body) { (void)body; }

static void* allocate(size_t size, size_t alignment, int32_t type_index, void* context) {
  TVMFFICustomAllocator* original = real.TVMFFIGetCustomAllocator();
  (void)context;
  size_t before = __atomic_load_n(&used, __ATOMIC_RELAXED), start;
  do {
    start = (before + 16 + alignment - 1) / alignment * alignment;
    if (size != 1000 || start + size > sizeof(arena)) {
      return original->allocate(size, alignment, type_index, original->context);
    }
    /* The header of the next body comes right behind, where this one has not ended yet. */
  } while (!__atomic_compare_exchange_n(&used, &before, start + size - 24, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  TVMFFIObjectAllocHeader* header = (TVMFFIObjectAllocHeader*)(arena + start) - 1;
  header->delete_space = keep;
  return arena + start;
}

OWN_ALLOCATOR(allocate)
