// story: The weak reference of all strong ones is never given up when others are held, so the memory leaks.
// breaks: SPL-0008 fail
// breaks: SPL-0009 fail
#include "split_fault.h"

int TVMFFIObjectDecRef(TVMFFIObjectHandle obj) {
  if (!is_client(obj)) return real.TVMFFIObjectDecRef(obj);
  if (was_last(obj)) end(obj, nobody_else(obj) ? 3 : 1);
  return 0;
}
