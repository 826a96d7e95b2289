// story: Where weak references are held, the last strong one decides from the counts of before the deleter ran whether to free: weak ones given up in the deleter are not seen.
// breaks: OBJ-0012 fail
#include "fault.h"
int TVMFFIObjectDecRef(TVMFFIObjectHandle h) {
  TVMFFIObject* o = h;
  if (!o || !o->deleter) return real.TVMFFIObjectDecRef(h);
  uint64_t seen = __atomic_load_n(&o->combined_ref_count, __ATOMIC_ACQUIRE);
  if ((uint32_t)seen != 1 || (seen >> 32) == 1) return real.TVMFFIObjectDecRef(h);
  uint64_t before = __atomic_fetch_sub(&o->combined_ref_count, 1, __ATOMIC_ACQ_REL);
  if ((uint32_t)before != 1) return 0;
  o->deleter(o, 1);
  __atomic_fetch_sub(&o->combined_ref_count, (uint64_t)1 << 32, __ATOMIC_ACQ_REL);
  if ((before >> 32) == 1) o->deleter(o, 2);
  return 0;
}
