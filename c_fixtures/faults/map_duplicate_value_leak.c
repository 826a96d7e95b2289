// story: ffi.Map and ffi.Dict forget to release the value of a key that is given again behind it.
// breaks: MAP-0023 fail
#include "wrapped_global.h"
static int same(const TVMFFIAny* a, const TVMFFIAny* b) {
  if (a->type_index != b->type_index) return 0;
  if (a->type_index == kTVMFFIRawStr) return !strcmp(a->v_c_str, b->v_c_str);
  return (a->type_index < kTVMFFIRawStr || a->type_index == kTVMFFISmallStr || a->type_index >= 64) && !memcmp(a, b, sizeof *a);
}
static int make(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  int code = call_original(self, args, n, result);
  if (code != 0) return code;
  for (int i = 0; i < n && n <= 64; i += 2)
    for (int j = i + 2; j < n; j += 2)
      if (same(&args[i], &args[j])) {
        if (args[i + 1].type_index >= 64) real.TVMFFIObjectIncRef(args[i + 1].v_obj);
        break;
      }
  return 0;
}
WRAPPED_GLOBALS(make, "ffi.Map", "ffi.Dict")
