// story: The room for an owned copy of a byte array is computed without a look at overflow: one of a length near 2^64 is copied into a few bytes.
// breaks: OBJ-0033 crash
#include "fault.h"

int TVMFFIAnyViewToOwnedAny(const TVMFFIAny* view, TVMFFIAny* out) {
  if (view && out && view->type_index == kTVMFFIByteArrayPtr && view->v_ptr) {
    const TVMFFIByteArray* bytes = view->v_ptr;
    if (bytes->data && bytes->size > SIZE_MAX - 41) {
      volatile char* copy = malloc(bytes->size + 41);
      for (size_t i = 0; i < bytes->size; ++i) copy[i] = 0;
    }
  }
  return real.TVMFFIAnyViewToOwnedAny(view, out);
}
