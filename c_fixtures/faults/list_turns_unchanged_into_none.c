// story: The marker of an unchanged value is nothing to keep: ffi.ListAppend, ffi.ListSetItem and ffi.ListInsert store None for it.
// breaks: LST-0036 fail
#include "wrapped_global.h"
static int put(void* original, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  TVMFFIAny changed[3];
  if (n < 2 || n > 3 || args[n - 1].type_index != kTVMFFIUnchanged) return call_original(original, args, n, result);
  memcpy(changed, args, (size_t)n * sizeof(*args));
  changed[n - 1] = (TVMFFIAny){0};
  return call_original(original, changed, n, result);
}
WRAPPED_GLOBALS(put, "ffi.ListAppend", "ffi.ListSetItem", "ffi.ListInsert")
