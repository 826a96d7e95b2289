// story: TVMFFIObjectDecRef looks whether there is a deleter only where nobody holds a weak reference.
// breaks: OBJ-0013 crash
#include "fault.h"
int TVMFFIObjectDecRef(TVMFFIObjectHandle handle) {
  TVMFFIObject* obj = handle;
  if (!obj) return 0;
  uint64_t before = __atomic_fetch_sub(&obj->combined_ref_count, 1, __ATOMIC_RELEASE);
  if (before == 0x100000001u) {
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    if (obj->deleter) obj->deleter(obj, kTVMFFIObjectDeleterFlagBitMaskBoth);
  } else if ((uint32_t)before == 1) {
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    obj->deleter(obj, kTVMFFIObjectDeleterFlagBitMaskStrong);
    if (__atomic_fetch_sub(&obj->combined_ref_count, 1ull << 32, __ATOMIC_RELEASE) == 1ull << 32) {
      __atomic_thread_fence(__ATOMIC_ACQUIRE);
      obj->deleter(obj, kTVMFFIObjectDeleterFlagBitMaskWeak);
    }
  }
  return 0;
}
