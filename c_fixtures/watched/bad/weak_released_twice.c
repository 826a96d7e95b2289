// story: Gives up a weak reference twice, inline.
// breaks: count-after-end
#include "../client.h"

static void release_weak(TVMFFIObject* object) {
  const uint64_t one = (uint64_t)1 << 32;
  uint64_t before = __atomic_fetch_sub(&object->combined_ref_count, one, __ATOMIC_ACQ_REL);
  if (before == one) object->deleter(object, kTVMFFIObjectDeleterFlagBitMaskWeak);
}

int main(void) {
  TVMFFIObject* text = string(LONG_TEXT);
  __atomic_fetch_add(&text->combined_ref_count, (uint64_t)1 << 32, __ATOMIC_RELAXED);
  release(text);
  release_weak(text);
  release_weak(text);
  return 0;
}
