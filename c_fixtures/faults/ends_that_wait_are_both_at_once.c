// story: TVMFFIObjectDecRef puts ends that lie within more than 32 others on a list, and calls the deleters from there with the flags 3, as if nobody held weak references to those objects.
// breaks: OBJ-0010 fail
#include "fault.h"

#define STRONG 0xffffffffull
#define WEAK (1ull << 32)
#define DEEP 32
#define MOST 512

static __thread int depth, waiting;
static __thread TVMFFIObject* list[MOST];

int TVMFFIObjectDecRef(TVMFFIObjectHandle handle) {
  TVMFFIObject* object = (TVMFFIObject*)handle;
  if (!object || !object->deleter) return real.TVMFFIObjectDecRef(handle);
  const uint64_t before = __atomic_fetch_sub(&object->combined_ref_count, 1, __ATOMIC_RELEASE);
  if ((before & STRONG) != 1) return 0;
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
  if (depth > DEEP && waiting < MOST) {
    list[waiting++] = object;
    return 0;
  }
  ++depth;
  if (before == (WEAK | 1)) {
    object->deleter(object, kTVMFFIObjectDeleterFlagBitMaskBoth);
  } else {
    object->deleter(object, kTVMFFIObjectDeleterFlagBitMaskStrong);
    if (__atomic_fetch_sub(&object->combined_ref_count, WEAK, __ATOMIC_ACQ_REL) == WEAK) {
      object->deleter(object, kTVMFFIObjectDeleterFlagBitMaskWeak);
    }
  }
  if (depth == 1) {
    while (waiting > 0) {
      object = list[--waiting];
      object->deleter(object, kTVMFFIObjectDeleterFlagBitMaskBoth);
    }
  }
  --depth;
  return 0;
}
