// story: The producer of a tensor frees it while the Tensor lives.
// breaks: tensor-ended
#include "../client.h"

static void leave_tensor(DLManagedTensor* self) { (void)self; }

int main(void) {
  struct owned_tensor* from = tensor();
  TVMFFIObjectHandle made = NULL, f = function(nothing);
  from->managed.deleter = leave_tensor;
  must(TVMFFITensorFromDLPack(&from->managed, 0, 0, &made));
  memset(from->shape, 0x55, sizeof(from->shape));
  TVMFFIAny argument = object(made), result = none();
  must(TVMFFIFunctionCall(f, &argument, 1, &result));
  release(made);
  free(from);
  release(f);
  return 0;
}
