// story: keeps a String without a reference to it, and reads it in the next call
// breaks: view-kept
#include "tensors.h"

KERNEL(same_as_before) {
  static const TVMFFIByteArray* last;
  if (num_args != 1 || args[0].type_index != kTVMFFIStr) return refuse("expected a String");
  *result = int_value(last != NULL && last->size > 0 ? ((const volatile char*)last->data)[0] : 0);
  last = (const TVMFFIByteArray*)((char*)args[0].v_obj + sizeof(TVMFFIObject));
  return 0;
}

METADATA(same_as_before, "int", TYPE("str"))
