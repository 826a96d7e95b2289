// story: After the one call for both, the weak count is lowered, too, and the deleter called once more.
// breaks: SPL-0007 fail
#include "split_fault.h"

int TVMFFIObjectDecRef(TVMFFIObjectHandle obj) {
  if (!is_client(obj)) return real.TVMFFIObjectDecRef(obj);
  if (!was_last(obj)) return 0;
  end(obj, nobody_else(obj) ? 3 : 1);
  if (was_last_weak(obj)) end(obj, 2);
  return 0;
}
