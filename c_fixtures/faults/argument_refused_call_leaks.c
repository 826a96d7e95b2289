// story: An array that is asked for an item without a number keeps memory for the complaint.
// breaks: ARG-0001 leak
#include "fault.h"

int TVMFFIFunctionCall(TVMFFIObjectHandle func, TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  static void* volatile kept;
  int code = real.TVMFFIFunctionCall(func, args, num_args, result);
  if (code != 0 && num_args == 1 && args[0].type_index == kTVMFFIArray) kept = malloc(48);
  (void)kept;
  return code;
}
