// story: The deleter of an exported tensor is called by two consumers.
// breaks: dlpack-deleter-twice
#include "../client.h"

int main(void) {
  struct owned_tensor* from = tensor();
  TVMFFIObjectHandle made = NULL;
  DLManagedTensor* exported = NULL;
  must(TVMFFITensorFromDLPack(&from->managed, 0, 0, &made));
  must(TVMFFITensorToDLPack(made, &exported));
  exported->deleter(exported);
  exported->deleter(exported);
  release(made);
  return 0;
}
