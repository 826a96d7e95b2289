// story: calls whatever functions it is given, passes their failures on, and returns a DLTensor* that is an argument
#include "tensors.h"

KERNEL(each) {
  for (int32_t i = 0; i < num_args; ++i) {
    if (args[i].type_index != kTVMFFIFunction) continue;
    TVMFFIAny answer = {.type_index = kTVMFFINone}, place = int_value(i);
    int status = TVMFFIFunctionCall(args[i].v_obj, &place, 1, &answer);
    if (status != 0) return status;
    if (answer.type_index >= kTVMFFIStaticObjectBegin) TVMFFIObjectDecRef(answer.v_obj);
  }
  return 0;
}

KERNEL(same) {
  if (num_args != 1) return refuse("expected an argument");
  return TVMFFIAnyViewToOwnedAny(&args[0], result);
}
