// story: A callback answers a pointer to a tensor of its own, which nobody owns.
// breaks: view-returned
#include "../client.h"

CALLBACK(answers) {
  static float element;
  static DLTensor mine = {.data = &element, .device = {kDLCPU, 0}, .dtype = {kDLFloat, 32, 1}};
  *result = (TVMFFIAny){.type_index = kTVMFFIDLTensorPtr, .v_ptr = &mine};
  return 0;
}

int main(void) {
  TVMFFIObjectHandle f = function(answers);
  TVMFFIAny result = none();
  must(TVMFFIFunctionCall(f, NULL, 0, &result));
  release(f);
  return 0;
}
