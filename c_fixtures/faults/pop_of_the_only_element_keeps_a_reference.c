// story: ffi.ListPop of the only element answers a reference more and leaves the List's own behind.
// breaks: LST-0022 fail
#include "wrapped_global.h"
static int pop(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int only = num_args == 2 && args[0].type_index == kTVMFFIList && sequence_cell(&args[0])->size == 1;
  int code = call_original(original, args, num_args, result);
  if (code == 0 && only && result->type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectIncRef(result->v_obj);
  return code;
}
WRAPPED_GLOBAL("ffi.ListPop", pop)
