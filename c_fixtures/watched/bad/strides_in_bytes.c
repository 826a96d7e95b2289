// story: Strides are counted in bytes of a large tensor, and not in elements.
// breaks: tensor-strides
#include "../client.h"

int main(void) {
  struct owned_tensor* from = tensor();
  TVMFFIObjectHandle made = NULL;
  from->shape[0] = 1 << 20;
  from->shape[1] = 64;
  from->strides[0] = (int64_t)1 << 42;
  from->strides[1] = sizeof(float);
  if (TVMFFITensorFromDLPack(&from->managed, 0, 0, &made) == 0) release(made);
  take_error();
  return 0;
}
