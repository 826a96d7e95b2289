// story: ffi.RecursiveLt compares two strings up to their first NUL.
// breaks: REC-0007 fail
#include "wrapped_global.h"

static const char* characters_of(const TVMFFIAny* value) {
  if (value->type_index == kTVMFFIRawStr) return value->v_c_str;
  if (value->type_index == kTVMFFISmallStr) return value->v_bytes;
  return value->type_index == kTVMFFIStr ? ((TVMFFIByteArray*)(value->v_obj + 1))->data : NULL;
}

static int less(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 2 && characters_of(&args[0]) && characters_of(&args[1]) && strcmp(characters_of(&args[0]), characters_of(&args[1])) == 0) {
    *result = (TVMFFIAny){.type_index = kTVMFFIBool};
    return 0;
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.RecursiveLt", less)
