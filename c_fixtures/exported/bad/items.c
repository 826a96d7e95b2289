// story: takes what an Array holds for Strings
// breaks: wrong-kind
// also: null-pointer
#include "tensors.h"

KERNEL(length) {
  if (num_args != 1 || args[0].type_index != kTVMFFIArray) return refuse("expected an Array");
  const TVMFFISeqCell* array = (TVMFFISeqCell*)((char*)args[0].v_obj + sizeof(TVMFFIObject));
  const TVMFFIAny* items = array->data;
  int64_t size = 0;
  for (int64_t i = 0; i < array->size; ++i) {
    size += (int64_t)((TVMFFIByteArray*)((char*)items[i].v_obj + sizeof(TVMFFIObject)))->size;
  }
  *result = int_value(size);
  return 0;
}

METADATA(length, "int", "{\\\"type\\\":\\\"ffi.Array\\\",\\\"args\\\":[" TYPE("ffi.String") "]}")
