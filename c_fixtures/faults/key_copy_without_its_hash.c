// story: The shallow copy of an ffi.StructuralKey has the key but zero for the hash.
// breaks: INS-0011 fail
#include "wrapped_global.h"

static int copy(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0) *(int64_t*)((char*)result->v_obj + 40) = 0;
  return code;
}

const TVMFFITypeAttrColumn* TVMFFIGetTypeAttrColumn(const TVMFFIByteArray* attr_name) {
  const TVMFFITypeAttrColumn* column = real.TVMFFIGetTypeAttrColumn(attr_name);
  static int done;
  if (done || !column || attr_name->size != 20 || memcmp(attr_name->data, "__ffi_shallow_copy__", 20) != 0) return column;
  done = 1;
  int32_t index;
  if (real.TVMFFITypeKeyToIndex(&(TVMFFIByteArray){"ffi.StructuralKey", 17}, &index) != 0) return column;
  TVMFFIAny* entry = (TVMFFIAny*)&column->data[index - column->begin_index];
  TVMFFIObjectHandle wrapper;
  real.TVMFFIFunctionCreate(entry->v_obj, copy, NULL, &wrapper);
  entry->v_obj = wrapper;
  return column;
}
