// story: The function in __ffi_convert__ of ffi.Shape keeps 32 bits of the integers of an Array or a List.
// breaks: INS-0014 fail
#include "wrapped_global.h"
#include <pthread.h>
static int convert(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  int code = call_original(self, args, n, result);
  if (code == 0 && result->type_index == kTVMFFIShape && args[0].type_index != kTVMFFIShape) {
    TVMFFIShapeCell* cell = (TVMFFIShapeCell*)(result->v_obj + 1);
    for (size_t i = 0; i < cell->size; ++i) ((int64_t*)cell->data)[i] = (int32_t)cell->data[i];
  }
  return code;
}
static void patch(void) {
  TVMFFIByteArray name = {"__ffi_convert__", 15};
  TVMFFIAny* entry = (TVMFFIAny*)real.TVMFFIGetTypeAttrColumn(&name)->data + kTVMFFIShape;
  TVMFFIObjectHandle made;
  if (entry->type_index == kTVMFFIFunction && real.TVMFFIFunctionCreate(entry->v_obj, convert, NULL, &made) == 0) entry->v_obj = made;
}
const TVMFFITypeAttrColumn* TVMFFIGetTypeAttrColumn(const TVMFFIByteArray* name) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, patch);
  return real.TVMFFIGetTypeAttrColumn(name);
}
