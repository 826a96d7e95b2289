// story: A tensor has elements and no data.
// breaks: tensor-data
#include "../client.h"

int main(void) {
  struct owned_tensor* from = tensor();
  TVMFFIObjectHandle made = NULL;
  from->managed.dl_tensor.data = NULL;
  if (TVMFFITensorFromDLPack(&from->managed, 0, 0, &made) == 0) release(made);
  take_error();
  return 0;
}
