// story: The function in __ffi_convert__ of ffi.Shape takes a sequence of integers only: a boolean among them, which a parameter takes as 0 or 1, is refused.
// breaks: ARG-0014 fail
#include "wrapped_global.h"
#include <pthread.h>

static int convert(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  if (n == 1 && (args[0].type_index == kTVMFFIArray || args[0].type_index == kTVMFFIList)) {
    const TVMFFISeqCell* cell = sequence_cell(&args[0]);
    for (int64_t i = 0; i < cell->size; ++i) {
      if (((const TVMFFIAny*)cell->data)[i].type_index != kTVMFFIInt) return refuse("TypeError", "Cannot cast to `ffi.Shape`");
    }
  }
  return call_original(self, args, n, result);
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
