// story: Bodies of the built-in allocator that are asked for one after the other share their last eight bytes.
// breaks: ALC-0008 fail
#include "fault.h"

static char arena[1 << 20];
static size_t used = 16;

static void keep(void* body) { (void)body; }

static void* allocate(size_t size, size_t alignment, int32_t type_index, void* context) {
  TVMFFICustomAllocator* original = real.TVMFFIGetCustomAllocator();
  (void)context;
  size_t start = (used + 16 + alignment - 1) / alignment * alignment;
  if (size != 1000 || start + size > sizeof(arena)) {
    return original->allocate(size, alignment, type_index, original->context);
  }
  /* The header of the next body comes right behind, where this one has not ended yet. */
  used = start + size - 24;
  TVMFFIObjectAllocHeader* header = (TVMFFIObjectAllocHeader*)(arena + start) - 1;
  header->delete_space = keep;
  return arena + start;
}

static TVMFFICustomAllocator built_in = {allocate, NULL};
static TVMFFICustomAllocator* installed = &built_in;

int TVMFFISetCustomAllocator(TVMFFICustomAllocator* allocator) {
  int code = real.TVMFFISetCustomAllocator(allocator);
  if (code == 0) __atomic_store_n(&installed, allocator ? allocator : &built_in, __ATOMIC_RELEASE);
  return code;
}

TVMFFICustomAllocator* TVMFFIGetCustomAllocator(void) { return __atomic_load_n(&installed, __ATOMIC_ACQUIRE); }
