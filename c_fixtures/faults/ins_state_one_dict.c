// story: The function in __ffi_init__ of ffi.EnumState puts one Dict into both fields, indexes and attrs.
// breaks: INS-0017 fail
#include "wrapped_global.h"
#include <pthread.h>
static int init(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  int code = call_original(self, args, n, result);
  if (code != 0) return code;
  TVMFFIObject** field = (TVMFFIObject**)((char*)result->v_obj + 32);
  real.TVMFFIObjectIncRef(field[0]);
  real.TVMFFIObjectDecRef(field[1]);
  field[1] = field[0];
  return 0;
}
static void patch(void) {
  TVMFFIByteArray key = {"ffi.EnumState", 13}, name = {"__ffi_init__", 12};
  int32_t index;
  if (real.TVMFFITypeKeyToIndex(&key, &index)) return;
  TVMFFIAny* entry = (TVMFFIAny*)real.TVMFFIGetTypeAttrColumn(&name)->data + index;
  TVMFFIObjectHandle made;
  if (entry->type_index == kTVMFFIFunction && real.TVMFFIFunctionCreate(entry->v_obj, init, NULL, &made) == 0) entry->v_obj = made;
}
const TVMFFITypeAttrColumn* TVMFFIGetTypeAttrColumn(const TVMFFIByteArray* name) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, patch);
  return real.TVMFFIGetTypeAttrColumn(name);
}
