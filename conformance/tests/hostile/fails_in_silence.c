// story: Every call of a function fails and raises nothing.
#include "fault.h"

int TVMFFIFunctionCall(TVMFFIObjectHandle function, TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  (void)function, (void)args, (void)num_args, (void)result;
  return -1;
}
