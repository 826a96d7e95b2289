// story: TVMFFIEnvTensorAlloc hands the allocator a cleaned copy of the prototype, without data, strides and byte offset, for which each thread has one place.
// breaks: ENV-0016 fail
#include "fault.h"

#define MOST 16

static __thread DLTensor prototype_copy;
static __thread int64_t extents[MOST];

int TVMFFIEnvTensorAlloc(DLTensor* prototype, TVMFFIObjectHandle* out) {
  if (!prototype || prototype->ndim < 0 || prototype->ndim > MOST || (prototype->ndim > 0 && !prototype->shape)) {
    return real.TVMFFIEnvTensorAlloc(prototype, out);
  }
  for (int32_t i = 0; i < prototype->ndim; ++i) extents[i] = prototype->shape[i];
  prototype_copy = (DLTensor){
      .device = prototype->device, .ndim = prototype->ndim, .dtype = prototype->dtype, .shape = extents};
  return real.TVMFFIEnvTensorAlloc(&prototype_copy, out);
}
