// story: ffi.SystemLib makes a module anew for each call that names a prefix.
// breaks: MOD-0035 fail
#include "wrapped_global.h"

static int asked(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  static int times;
  if (num_args != 1 || text_of(args).size == 0) return call_original(original, args, num_args, result);
  /* A prefix that nothing has, longer each time, leads to another module of the same kind. */
  char prefix[256];
  TVMFFIByteArray given = text_of(args);
  snprintf(prefix, sizeof(prefix), "%.*s%d", (int)given.size, given.data, __atomic_add_fetch(&times, 1, __ATOMIC_RELAXED));
  const TVMFFIAny other = {.type_index = kTVMFFIRawStr, .v_c_str = prefix};
  return call_original(original, &other, 1, result);
}

WRAPPED_GLOBAL("ffi.SystemLib", asked)
