// story: The last strong reference has the memory freed in a second call, whoever holds weak ones.
// breaks: SPL-0008 fail
// breaks: SPL-0033 fail
#include "split_fault.h"

int TVMFFIObjectDecRef(TVMFFIObjectHandle obj) {
  if (!is_client(obj)) return real.TVMFFIObjectDecRef(obj);
  if (!was_last(obj)) return 0;
  if (nobody_else(obj)) {
    end(obj, 3);
  } else {
    end(obj, 1);
    was_last_weak(obj);
    end(obj, 2);
  }
  return 0;
}
