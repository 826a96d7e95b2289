// story: takes a pointer for that of a tensor, as it comes
// breaks: null-pointer
#include "kernel.h"

KERNEL(count) {
  const int32_t index = num_args == 1 ? args[0].type_index : kTVMFFINone;
  if (index == kTVMFFITensor) {
    *result = int_value(((DLTensor*)((char*)args[0].v_obj + sizeof(TVMFFIObject)))->ndim);
  } else if (index == kTVMFFIDLTensorPtr || index == kTVMFFIOpaquePtr) {
    *result = int_value(((DLTensor*)args[0].v_ptr)->ndim);
  } else {
    TVMFFIErrorSetRaisedFromCStr("TypeError", "expected a tensor");
    return -1;
  }
  return 0;
}
