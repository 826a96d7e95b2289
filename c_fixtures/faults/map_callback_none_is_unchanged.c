// story: A callback of a structural map that answers None has nothing to say: the value stays as it is, and cannot be replaced by None.
// breaks: VIS-0018 fail
#include "walk_callbacks.h"
static int call_back(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  int code = call_original(self, args, n, result);
  if (code == 0 && result->type_index == kTVMFFINone) *result = (TVMFFIAny){.type_index = kTVMFFIUnchanged};
  return code;
}
static void change(TVMFFIAny* pair) { if (pair[1].type_index == kTVMFFIFunction) wrap_callback(pair, call_back); }
static int map(void* original, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) { return walk_with(change, OF_VALUES, original, args, n, result); }
WRAPPED_GLOBAL("ffi.StructuralMap", map)
