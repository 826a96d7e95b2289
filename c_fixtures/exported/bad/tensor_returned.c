// story: returns a tensor of its own as a pointer, which nobody owns
// breaks: result-borrowed
#include "tensors.h"

KERNEL(zero) {
  static float element;
  static DLTensor mine = {.data = &element, .device = {kDLCPU, 0}, .dtype = {kDLFloat, 32, 1}};
  *result = (TVMFFIAny){.type_index = kTVMFFIDLTensorPtr, .v_ptr = &mine};
  return 0;
}
