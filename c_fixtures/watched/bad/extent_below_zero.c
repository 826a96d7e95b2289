// story: A tensor has a negative extent.
// breaks: tensor-shape
#include "../client.h"

int main(void) {
  struct owned_tensor* from = tensor();
  TVMFFIObjectHandle made = NULL;
  from->shape[0] = -2;
  if (TVMFFITensorFromDLPack(&from->managed, 0, 0, &made) == 0) release(made);
  take_error();
  return 0;
}
