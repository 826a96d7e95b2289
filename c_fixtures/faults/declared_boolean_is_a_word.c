// story: The getter of a boolean reads eight bytes, whatever is in the next field.
// breaks: DCL-0019 fail
#include "wrapped_global.h"

static int get_word(void* field, TVMFFIAny* result) {
  *result = (TVMFFIAny){.type_index = kTVMFFIBool, .v_int64 = *(int64_t*)field};
  return 0;
}

static int make_getter(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0 && args[0].v_int64 == kTVMFFIBool) result->v_int64 = (intptr_t)get_word;
  return code;
}

WRAPPED_GLOBAL("ffi.MakeFieldGetter", make_getter)
