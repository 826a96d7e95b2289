// story: The shallow copy of a StructuralKey has the key but not its hash.
// breaks: INS-0011 fail
#include "wrapped_global.h"
#include <pthread.h>
static int copy(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  int code = call_original(self, args, n, result);
  if (code == 0) *(int64_t*)((char*)result->v_obj + 40) = 0;
  return code;
}
static void patch(void) {
  TVMFFIByteArray key = {"ffi.StructuralKey", 17}, name = {"__ffi_shallow_copy__", 20};
  int32_t index;
  if (real.TVMFFITypeKeyToIndex(&key, &index)) return;
  TVMFFIAny* entry = (TVMFFIAny*)real.TVMFFIGetTypeAttrColumn(&name)->data + index;
  TVMFFIObjectHandle made;
  if (entry->type_index == kTVMFFIFunction && real.TVMFFIFunctionCreate(entry->v_obj, copy, NULL, &made) == 0) entry->v_obj = made;
}
const TVMFFITypeAttrColumn* TVMFFIGetTypeAttrColumn(const TVMFFIByteArray* name) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, patch);
  return real.TVMFFIGetTypeAttrColumn(name);
}
