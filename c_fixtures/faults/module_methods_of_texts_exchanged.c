// story: The fifth and the sixth method of a library module are in each other's place.
// breaks: MOD-0073 fail
#include "wrapped_global.h"

static int load(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  static void* own[14];
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->type_index != kTVMFFIModule) return code;
  void*** place = (void***)((char*)result->v_obj - 8);
  if (*place == own + 2) return code;
  if (!own[2]) {
    memcpy(own, *place - 2, sizeof own);
    void* fifth = own[6];
    own[6] = own[7];
    own[7] = fifth;
  }
  *place = own + 2;
  return code;
}

WRAPPED_GLOBAL("ffi.Module.load_from_file.so", load)
