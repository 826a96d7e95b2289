// story: takes every text for an object, also those that fit into the value
// breaks: wrong-kind
// also: crash
#include "tensors.h"

KERNEL(length) {
  int is_text = num_args == 1 && (args[0].type_index == kTVMFFIStr || args[0].type_index == kTVMFFISmallStr);
  if (!is_text) return refuse("expected a text");
  *result = int_value((int64_t)((TVMFFIByteArray*)((char*)args[0].v_obj + sizeof(TVMFFIObject)))->size);
  return 0;
}

METADATA(length, "int", TYPE("str"))
