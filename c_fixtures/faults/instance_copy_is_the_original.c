// story: The shallow copy of an access path is the path itself.
// breaks: INS-0011 fail
#include "fault.h"

static int answer_argument(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  (void)self, (void)num_args;
  return real.TVMFFIAnyViewToOwnedAny(&args[0], result);
}

const TVMFFITypeAttrColumn* TVMFFIGetTypeAttrColumn(const TVMFFIByteArray* attr_name) {
  static TVMFFITypeAttrColumn column;
  static TVMFFIAny entries[1 << 12];
  static TVMFFIObjectHandle lazy;
  const TVMFFIByteArray path = {"ffi.reflection.AccessPath", 25};
  int32_t index = 0;
  const TVMFFITypeAttrColumn* known = real.TVMFFIGetTypeAttrColumn(attr_name);
  if (known == NULL || attr_name->size != 20 || memcmp(attr_name->data, "__ffi_shallow_copy__", 20) != 0) return known;
  if (lazy == NULL) real.TVMFFIFunctionCreate(NULL, answer_argument, NULL, &lazy);
  real.TVMFFITypeKeyToIndex(&path, &index);
  column = *known;
  memcpy(entries, known->data, (size_t)known->size * sizeof(TVMFFIAny));
  entries[index - known->begin_index].v_obj = (TVMFFIObject*)lazy;
  column.data = entries;
  return &column;
}
