// story: The weak reference of the strong ones is given up before the deleter runs the destructor, under which others may free the memory.
// breaks: SPL-0008 fail
// breaks: SPL-0009 fail
#include "split_fault.h"

int TVMFFIObjectDecRef(TVMFFIObjectHandle obj) {
  if (!is_client(obj)) return real.TVMFFIObjectDecRef(obj);
  if (!was_last(obj)) return 0;
  if (nobody_else(obj)) {
    end(obj, 3);
  } else {
    int last = was_last_weak(obj);
    end(obj, 1);
    if (last) end(obj, 2);
  }
  return 0;
}
