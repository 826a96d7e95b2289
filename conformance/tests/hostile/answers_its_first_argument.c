// story: Every call of a function succeeds and answers its first argument, or None.
#include "fault.h"

int TVMFFIFunctionCall(TVMFFIObjectHandle function, TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  (void)function;
  *result = (TVMFFIAny){0};
  return num_args > 0 ? real.TVMFFIAnyViewToOwnedAny(&args[0], result) : 0;
}
