// story: A value whose printing failed stays marked as being printed, whatever the thread prints then: printed again, it is `...`.
// breaks: HOK-0009 fail
// breaks: HOK-0019 fail
#include "wrapped_global.h"

static int print(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  enum { MOST = 64 };
  static __thread const void* marked[MOST];
  static __thread int count;
  if (num_args != 1 || args[0].type_index < kTVMFFIStaticObjectBegin) {
    return call_original(original, args, num_args, result);
  }
  for (int i = 0; i < count && i < MOST; i++) {
    if (args[0].v_obj != marked[i]) continue;
    const TVMFFIByteArray dots = {"...", 3};
    return real.TVMFFIStringFromByteArray(&dots, result);
  }
  int code = call_original(original, args, num_args, result);
  if (code != 0) marked[count++ % MOST] = args[0].v_obj;
  return code;
}

WRAPPED_GLOBAL("ffi.ReprPrint", print)
