// story: ffi.json.Stringify indents by ten spaces at most, as JavaScript does.
// breaks: JSN-0026 fail
#include "wrapped_global.h"

static int stringify(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 2 || args[1].type_index != kTVMFFIInt || args[1].v_int64 <= 10) return call_original(original, args, num_args, result);
  TVMFFIAny changed[2] = {args[0], args[1]};
  changed[1].v_int64 = 10;
  return call_original(original, changed, num_args, result);
}

WRAPPED_GLOBAL("ffi.json.Stringify", stringify)
