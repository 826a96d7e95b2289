// story: A tensor has a data type that was never set.
// breaks: tensor-dtype
#include "../client.h"

int main(void) {
  struct owned_tensor* from = tensor();
  TVMFFIObjectHandle made = NULL;
  from->managed.dl_tensor.dtype = (DLDataType){0, 0, 0};
  if (TVMFFITensorFromDLPack(&from->managed, 0, 0, &made) == 0) release(made);
  take_error();
  return 0;
}
