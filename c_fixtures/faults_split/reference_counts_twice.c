// story: TVMFFIObjectIncRef adds one to the weak count, too.
// breaks: SPL-0005 fail
// breaks: SPL-0012 fail
// breaks: SPL-0014 fail
// breaks: SPL-0015 fail
#include "split_fault.h"

int TVMFFIObjectIncRef(TVMFFIObjectHandle obj) {
  if (is_client(obj)) __atomic_fetch_add(&((TVMFFIObject*)obj)->weak_ref_count, 1, __ATOMIC_RELAXED);
  return real.TVMFFIObjectIncRef(obj);
}
