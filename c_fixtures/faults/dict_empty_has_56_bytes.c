// story: An empty Dict is as long as its fields, without room for those of the dense layout.
// breaks: DCT-0023 crash
// chance: Clients write behind the object.
#include "wrapped_global.h"

static void end(void* self, int flags) {
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) free(self);
}

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || num_args != 0) return code;
  TVMFFIObject* small = malloc(56);
  memcpy(small, result->v_obj, 56);
  small->deleter = end;
  *(void**)(small + 1) = (char*)small + 56;
  result->v_obj = small;
  return 0;
}

WRAPPED_GLOBAL("ffi.Dict", callee)
