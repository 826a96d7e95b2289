// story: A client counts references itself, weak ones too: it makes strong ones of weak ones, and looks at headers after the end of what is in
// story: an object, while a weak reference keeps its memory.
#include "../client.h"

#define STRONG ((uint64_t)1)
#define WEAK ((uint64_t)1 << 32)

static void give_up(TVMFFIObject* object) {
  uint64_t before = __atomic_fetch_sub(&object->combined_ref_count, STRONG, __ATOMIC_ACQ_REL);
  if (before == (STRONG | WEAK)) {
    object->deleter(object, kTVMFFIObjectDeleterFlagBitMaskBoth);
  } else if ((uint32_t)before == 1) {
    object->deleter(object, kTVMFFIObjectDeleterFlagBitMaskStrong);
    if (__atomic_fetch_sub(&object->combined_ref_count, WEAK, __ATOMIC_ACQ_REL) == WEAK) {
      object->deleter(object, kTVMFFIObjectDeleterFlagBitMaskWeak);
    }
  }
}

static void give_up_weak(TVMFFIObject* object) {
  if (__atomic_fetch_sub(&object->combined_ref_count, WEAK, __ATOMIC_ACQ_REL) == WEAK) {
    object->deleter(object, kTVMFFIObjectDeleterFlagBitMaskWeak);
  }
}

static int promote(TVMFFIObject* object) {
  uint64_t now = __atomic_load_n(&object->combined_ref_count, __ATOMIC_RELAXED);
  while ((uint32_t)now) {
    if (__atomic_compare_exchange_n(&object->combined_ref_count, &now, now + STRONG, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) return 1;
  }
  return 0;
}

int main(void) {
  for (int round = 0; round < 1000; ++round) {
    TVMFFIObject* text = string(LONG_TEXT);
    __atomic_fetch_add(&text->combined_ref_count, WEAK, __ATOMIC_RELAXED);
    if (!promote(text)) return 1;
    give_up(text);
    if (round % 2) {
      release(text);
    } else {
      give_up(text);
    }
    if (promote(text) || text->type_index != kTVMFFIStr) return 2;
    give_up_weak(text);
    TVMFFIObject* other = string(LONG_TEXT);
    give_up(other);
  }
  return 0;
}
