// story: The fourth method of a library module, which tells whether it implements a function, says no for a name of more than seven bytes.
// breaks: MOD-0072 fail
#include "wrapped_global.h"

static void* table[14];

static int implements(void* self, const TVMFFIAny* name) {
  if (name->type_index == kTVMFFIStr) return 0;
  return ((int (*)(void*, const TVMFFIAny*))table[13])(self, name) & 0xff;
}

static int load(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  static void* own[14];
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->type_index != kTVMFFIModule) return code;
  void*** place = (void***)((char*)result->v_obj - 8);
  if (*place == own + 2) return code;
  if (!own[2]) {
    memcpy(own, *place - 2, sizeof own);
    table[13] = own[5];
    own[5] = implements;
  }
  *place = own + 2;
  return code;
}

WRAPPED_GLOBAL("ffi.Module.load_from_file.so", load)
