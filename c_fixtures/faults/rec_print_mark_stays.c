// story: A container whose printing failed stays marked as being printed until the thread prints something else: printed again at once, it is `...`.
// breaks: HOK-0009 fail
#include "wrapped_global.h"
static __thread TVMFFIObject* marked;
static int print(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int container = num_args == 1 && (args[0].type_index == kTVMFFIArray || args[0].type_index == kTVMFFIList || args[0].type_index == kTVMFFIMap || args[0].type_index == kTVMFFIDict);
  TVMFFIObject* before = marked;
  marked = NULL;
  if (container && before == args[0].v_obj) {
    const TVMFFIByteArray dots = {"...", 3};
    return real.TVMFFIStringFromByteArray(&dots, result);
  }
  int code = call_original(original, args, num_args, result);
  if (code != 0 && container) marked = args[0].v_obj;
  return code;
}
WRAPPED_GLOBAL("ffi.ReprPrint", print)
