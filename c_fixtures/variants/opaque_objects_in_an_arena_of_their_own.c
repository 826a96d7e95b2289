// story: Opaque objects lie in an arena that is mapped once and kept; making one succeeds while all requests for heap memory are refused, and its end frees nothing on the heap.
// admitted: MEM-0001, "does what it was to do"; the place of an object that has ended is the next one's (OBJ-0016, OBJ-0020).
#include "fault.h"

#include <sys/mman.h>

enum { PLACES = 4096 };

struct place {
  TVMFFIObject head;
  void* handle;
  void (*deleter)(void* handle);
  int taken;
};

static struct place* arena;
static int installed, num_taken;

int TVMFFISetCustomAllocator(TVMFFICustomAllocator* allocator) {
  const int code = real.TVMFFISetCustomAllocator(allocator);
  if (code == 0) __atomic_store_n(&installed, allocator != NULL, __ATOMIC_RELEASE);
  return code;
}

static struct place* map_arena(void) {
  struct place* mapped = __atomic_load_n(&arena, __ATOMIC_ACQUIRE);
  if (mapped) return mapped;
  struct place* made = mmap(NULL, PLACES * sizeof(struct place), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (made == MAP_FAILED) return NULL;
  if (__atomic_compare_exchange_n(&arena, &mapped, made, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) return made;
  munmap(made, PLACES * sizeof(struct place));
  return mapped;
}

static void end(void* self, int flags) {
  struct place* p = self;
  if (flags & kTVMFFIObjectDeleterFlagBitMaskStrong) {
    if (p->deleter) p->deleter(p->handle);
  }
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) {
    __atomic_store_n(&p->taken, 0, __ATOMIC_RELEASE);
    __atomic_sub_fetch(&num_taken, 1, __ATOMIC_RELEASE);
  }
}

int TVMFFIObjectCreateOpaque(void* handle, int32_t type_index, void (*deleter)(void* handle), TVMFFIObjectHandle* out) {
  struct place* places = NULL;
  if (type_index == kTVMFFIOpaquePyObject && out && !__atomic_load_n(&installed, __ATOMIC_ACQUIRE)) places = map_arena();
  if (places && __atomic_add_fetch(&num_taken, 1, __ATOMIC_ACQ_REL) <= PLACES) {
    static uint32_t next;
    const uint32_t from = __atomic_fetch_add(&next, 1, __ATOMIC_RELAXED);
    for (uint32_t i = 0; i < PLACES; ++i) {
      struct place* p = &places[(from + i) % PLACES];
      int no = 0;
      if (!__atomic_compare_exchange_n(&p->taken, &no, 1, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) continue;
      p->head = (TVMFFIObject){.combined_ref_count = 0x100000001, .type_index = type_index, .deleter = end};
      p->handle = handle;
      p->deleter = deleter;
      *out = p;
      return 0;
    }
  }
  if (places) __atomic_sub_fetch(&num_taken, 1, __ATOMIC_RELEASE);
  return real.TVMFFIObjectCreateOpaque(handle, type_index, deleter, out);
}
