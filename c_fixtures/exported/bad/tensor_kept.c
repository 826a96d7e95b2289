// story: keeps a Tensor without a reference to it, and looks at its data in the next call
// breaks: view-kept
#include "tensors.h"

KERNEL(previous) {
  static const DLTensor* last;
  if (num_args != 1 || args[0].type_index != kTVMFFITensor) return refuse("expected a Tensor");
  DLTensor* x = tensor_in(&args[0]);
  if (x->device.device_type != kDLCPU) return refuse("expected it on the host");
  *result = int_value(last != NULL && count_of(last) > 0 ? *(const volatile char*)last->data : 0);
  last = x;
  return 0;
}

METADATA(previous, "int", TYPE("ffi.Tensor"))
