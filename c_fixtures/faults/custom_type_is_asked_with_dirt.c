// story: The function that answers the code of a custom data type is called with what lay on the stack for its result.
// breaks: FUN-0025 fail
#include "wrapped_registration.h"

static int call_with_dirt(void* function, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny own = {.type_index = kTVMFFIObject, .v_ptr = (void*)0x10};
  int code = call_original(function, args, num_args, &own);
  if (code == 0) *result = own;
  return code;
}

WRAPPED_REGISTRATION("dtype.get_custom_type_code", call_with_dirt)
