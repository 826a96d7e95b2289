// story: The shape of a tensor lies on the stack of a function that has returned.
// breaks: tensor-ended
#include "../client.h"

static OUT_OF_LINE TVMFFIObjectHandle import(void) {
  struct owned_tensor* from = tensor();
  volatile int64_t shape[2] = {2, 3};
  TVMFFIObjectHandle made = NULL;
  from->managed.dl_tensor.shape = (int64_t*)shape;
  must(TVMFFITensorFromDLPack(&from->managed, 0, 0, &made));
  return made;
}

static OUT_OF_LINE int use_the_stack(int number) {
  volatile int64_t words[512];
  for (int i = 0; i < 512; ++i) words[i] = number + i + 1000;
  return (int)words[number];
}

int main(void) {
  TVMFFIObjectHandle made = import();
  use_the_stack(1);
  release(made);
  return 0;
}
