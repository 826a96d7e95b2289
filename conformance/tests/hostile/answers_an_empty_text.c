// story: Every call of a function succeeds and answers an empty String.
#include "fault.h"

int TVMFFIFunctionCall(TVMFFIObjectHandle function, TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  (void)function, (void)args, (void)num_args;
  *result = (TVMFFIAny){.type_index = kTVMFFISmallStr};
  return 0;
}
