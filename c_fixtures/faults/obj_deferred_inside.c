// story: While a deleter runs, TVMFFIObjectDecRef only notes objects that have lost their last reference, and ends them when that deleter has returned.
// breaks: OBJ-0009 fail
#include "fault.h"
static __thread struct { TVMFFIObject** items; size_t size, room; int running; } late;
static void end(TVMFFIObject* obj) {
  if (__atomic_load_n(&obj->combined_ref_count, __ATOMIC_RELAXED) == 1ull << 32) {
    __atomic_store_n(&obj->combined_ref_count, 0, __ATOMIC_RELAXED);
    obj->deleter(obj, kTVMFFIObjectDeleterFlagBitMaskBoth);
    return;
  }
  obj->deleter(obj, kTVMFFIObjectDeleterFlagBitMaskStrong);
  if (__atomic_fetch_sub(&obj->combined_ref_count, 1ull << 32, __ATOMIC_ACQ_REL) == 1ull << 32) obj->deleter(obj, kTVMFFIObjectDeleterFlagBitMaskWeak);
}
int TVMFFIObjectDecRef(TVMFFIObjectHandle handle) {
  TVMFFIObject* obj = handle;
  if (!obj) return 0;
  uint64_t before = __atomic_fetch_sub(&obj->combined_ref_count, 1, __ATOMIC_ACQ_REL);
  if ((uint32_t)before != 1 || !obj->deleter) {
    if ((uint32_t)before == 1) __atomic_fetch_sub(&obj->combined_ref_count, 1ull << 32, __ATOMIC_ACQ_REL);
    return 0;
  }
  if (late.running) {
    if (late.size == late.room) late.items = realloc(late.items, sizeof(void*) * (late.room = late.room * 2 + 8));
    late.items[late.size++] = obj;
    return 0;
  }
  late.running = 1;
  end(obj);
  while (late.size) end(late.items[--late.size]);
  late.running = 0;
  free(late.items);
  late.items = NULL;
  late.room = 0;
  return 0;
}
