// story: A type is not there: nobody finds its key, and nothing is known of its index.
#include "fault.h"

static int is_it(const TVMFFIByteArray* key) {
  return key != NULL && key->data != NULL && key->size == 18 && memcmp(key->data, "ffi.VisitInterrupt", 18) == 0;
}

int TVMFFITypeKeyToIndex(const TVMFFIByteArray* key, int32_t* out) {
  TVMFFIByteArray unknown = {"no.Such", 7};
  return real.TVMFFITypeKeyToIndex(is_it(key) ? &unknown : key, out);
}

const TVMFFITypeInfo* TVMFFIGetTypeInfo(int32_t index) {
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(index);
  return info != NULL && is_it(&info->type_key) ? NULL : info;
}
