// story: Keys are looked up in a table that is filled once, when the library is loaded.
// breaks: TYP-0009 fail
#include "fault.h"

static int is_of_the_library(const TVMFFIByteArray* key) { return key->size > 4 && memcmp(key->data, "ffi.", 4) == 0; }

int TVMFFITypeKeyToIndex(const TVMFFIByteArray* type_key, int32_t* out_tindex) {
  int code = real.TVMFFITypeKeyToIndex(type_key, out_tindex);
  if (code != 0) return code;
  if (*out_tindex < kTVMFFIDynObjectBegin || is_of_the_library(type_key)) return 0;
  real.TVMFFIErrorSetRaisedFromCStr("KeyError", "Cannot find the type key");
  return -1;
}
