// story: ffi.ArrayGetItem has a fast path for an element that is a plain value, which writes over a result that holds an object.
// breaks: FUN-0029 fail
#define CALLEE_MEETS_MISUSE
#include "wrapped_global.h"

static int get(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 2 && args && result && args[0].type_index == kTVMFFIArray && args[1].type_index == kTVMFFIInt) {
    const TVMFFISeqCell* cell = sequence_cell(&args[0]);
    const int64_t place = args[1].v_int64;
    const TVMFFIAny* element = (const TVMFFIAny*)cell->data + place;
    if (place >= 0 && place < cell->size && element->type_index < kTVMFFIStaticObjectBegin) {
      *result = *element;
      return 0;
    }
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.ArrayGetItem", get)
