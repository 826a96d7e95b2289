// story: Gives a tensor another shape that it has handed over.
// breaks: tensor-ended
#include "../client.h"

int main(void) {
  struct owned_tensor* made = tensor();
  TVMFFIObjectHandle handle = NULL;
  must(TVMFFITensorFromDLPack(&made->managed, 0, 0, &handle));
  made->shape[0] = 3;
  made->shape[1] = made->strides[0] = 2;
  release(handle);
  return 0;
}
