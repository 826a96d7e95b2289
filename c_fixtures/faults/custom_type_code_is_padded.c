// story: The function that answers the name of a custom data type gets its code with dirt in the second word.
// breaks: ANY-0029 fail
#include "wrapped_registration.h"

static int call_with_dirt(void* function, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny own = args[0];
  own.zero_padding = 0xa5a5;
  return call_original(function, &own, num_args, result);
}

WRAPPED_REGISTRATION("dtype.get_custom_type_name", call_with_dirt)
