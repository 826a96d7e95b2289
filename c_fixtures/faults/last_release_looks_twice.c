// story: TVMFFIObjectDecRef takes one from the count and then looks whether it has become zero, as another thread may have made it.
// breaks: OBJ-0019 fail
// chance: Threads meet at the end of an object.
#include "fault.h"

#include <sched.h>

int TVMFFIObjectDecRef(TVMFFIObjectHandle obj) {
  TVMFFIObject* header = obj;
  if (!obj || !header->deleter || header->combined_ref_count >> 32 != 1) return real.TVMFFIObjectDecRef(obj);
  if ((uint32_t)header->combined_ref_count == 1) return real.TVMFFIObjectDecRef(obj);
  __atomic_fetch_sub(&header->combined_ref_count, 1, __ATOMIC_ACQ_REL);
  sched_yield();
  if ((uint32_t)__atomic_load_n(&header->combined_ref_count, __ATOMIC_ACQUIRE) == 0) {
    header->deleter(obj, kTVMFFIObjectDeleterFlagBitMaskBoth);
  }
  return 0;
}
