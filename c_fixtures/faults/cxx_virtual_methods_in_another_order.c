// story: In the virtual table of the system library, the method for the property mask stands where ImplementsFunction belongs.
// breaks: CXX-0016 fail
#include "virtual_table.h"

static void change(void** table) {
  table[METHODS + 3] = table[METHODS + 1];
}

static int changed(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0) change_virtual_table(result, change);
  return code;
}

WRAPPED_GLOBAL("ffi.SystemLib", changed)
