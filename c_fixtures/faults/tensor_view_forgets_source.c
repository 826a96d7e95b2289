// story: A view is a tensor of its own that does not keep its source alive.
// breaks: TEN-0033 fail
#include "fault.h"

static void free_metadata(DLManagedTensor* self) {
  free(self->manager_ctx);
  free(self);
}

int TVMFFITensorCreateUnsafeView(TVMFFIObjectHandle source, const DLTensor* prototype, TVMFFIObjectHandle* out) {
  if (source == NULL || prototype->strides == NULL) {
    return real.TVMFFITensorCreateUnsafeView(source, prototype, out);
  }
  size_t size = (size_t)prototype->ndim * sizeof(int64_t);
  int64_t* metadata = malloc(2 * size + 1);
  memcpy(metadata, prototype->shape, size);
  memcpy(metadata + prototype->ndim, prototype->strides, size);
  DLManagedTensor* managed = malloc(sizeof(DLManagedTensor));
  *managed = (DLManagedTensor){*prototype, metadata, free_metadata};
  managed->dl_tensor.shape = metadata;
  managed->dl_tensor.strides = metadata + prototype->ndim;
  return real.TVMFFITensorFromDLPack(managed, 0, 0, out);
}
