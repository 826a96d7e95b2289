// story: The type index in the header is cleared when the last strong reference goes.
// breaks: SPL-0010 fail
#include "split_fault.h"

int TVMFFIObjectDecRef(TVMFFIObjectHandle obj) {
  if (!is_client(obj)) return real.TVMFFIObjectDecRef(obj);
  if (!was_last(obj)) return 0;
  if (!nobody_else(obj)) ((TVMFFIObject*)obj)->type_index = 0;
  end_well(obj);
  return 0;
}
