// story: A producer that has handed a tensor over calls its deleter, too.
// breaks: deleter-by-producer
#include "../client.h"

static void leave_tensor(DLManagedTensor* self) { (void)self; }

int main(void) {
  struct owned_tensor* from = tensor();
  TVMFFIObjectHandle made = NULL;
  from->managed.deleter = leave_tensor;
  must(TVMFFITensorFromDLPack(&from->managed, 0, 0, &made));
  from->managed.deleter(&from->managed);
  release(made);
  free(from);
  return 0;
}
