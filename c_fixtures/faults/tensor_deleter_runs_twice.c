// story: The end of a tensor that came as a DLManagedTensor calls the producer's deleter twice.
// breaks: TEN-0017 fail
#include "fault.h"

static void (*producer_deleter)(DLManagedTensor*);

static void delete_twice(DLManagedTensor* self) {
  producer_deleter(self);
  producer_deleter(self);
}

int TVMFFITensorFromDLPack(DLManagedTensor* from, int32_t require_alignment, int32_t require_contiguous,
                           TVMFFIObjectHandle* out) {
  int code = real.TVMFFITensorFromDLPack(from, require_alignment, require_contiguous, out);
  if (code == 0 && from->deleter != NULL) {
    producer_deleter = from->deleter;
    from->deleter = delete_twice;
  }
  return code;
}
