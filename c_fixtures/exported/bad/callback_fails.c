// story: calls a function that it is given, and does not look at how that ended
// breaks: stale-error
#include "tensors.h"

KERNEL(apply) {
  if (num_args != 1 || args[0].type_index != kTVMFFIFunction) return refuse("expected a function");
  TVMFFIAny answer = {.type_index = kTVMFFINone};
  TVMFFIFunctionCall(args[0].v_obj, NULL, 0, &answer);
  if (answer.type_index >= kTVMFFIStaticObjectBegin) TVMFFIObjectDecRef(answer.v_obj);
  return 0;
}
