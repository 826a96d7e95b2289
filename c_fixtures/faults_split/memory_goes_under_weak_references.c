// story: The last strong reference has the deleter do both at once, although weak references are held.
// breaks: SPL-0008 fail
// breaks: SPL-0009 fail
#include "split_fault.h"

int TVMFFIObjectDecRef(TVMFFIObjectHandle obj) {
  if (!is_client(obj)) return real.TVMFFIObjectDecRef(obj);
  if (was_last(obj)) end(obj, 3);
  return 0;
}
