// story: A function object that a client made is called with NULL for its handle.
// breaks: OBJ-0021 fail
#include "fault.h"

static int nothing(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  (void)self, (void)args, (void)num_args, (void)result;
  return 0;
}

int TVMFFIFunctionCall(TVMFFIObjectHandle func, TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  static void (*own)(void*, int);
  if (!own) {
    TVMFFIObjectHandle made = NULL;
    if (real.TVMFFIFunctionCreate(NULL, nothing, NULL, &made) != 0) return -1;
    own = ((TVMFFIObject*)made)->deleter;
    real.TVMFFIObjectDecRef(made);
  }
  TVMFFIObject* header = func;
  TVMFFIFunctionCell* cell = (TVMFFIFunctionCell*)(header + 1);
  if (!func || header->deleter == own || header->combined_ref_count > ((uint64_t)1 << 32 | 1)) {
    return real.TVMFFIFunctionCall(func, args, num_args, result);
  }
  return cell->safe_call(header->deleter ? func : NULL, args, num_args, result);
}
