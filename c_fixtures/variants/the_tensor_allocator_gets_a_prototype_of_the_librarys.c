// story: TVMFFIEnvTensorAlloc passes the allocator a prototype of its own, with a copy of the extents and neither data, strides nor byte offset.
// admitted: ENV-0016: the allocator receives "the prototype's device, number of dimensions, dtype and extents"; ENV-0037: the rest of the prototype is not looked at.
#include "fault.h"

int TVMFFIEnvTensorAlloc(DLTensor* prototype, TVMFFIObjectHandle* out) {
  if (!prototype || !out || (prototype->ndim > 0 && !prototype->shape)) return real.TVMFFIEnvTensorAlloc(prototype, out);
  DLTensor own = {.device = prototype->device, .ndim = prototype->ndim, .dtype = prototype->dtype};
  const size_t ndim = prototype->ndim > 0 ? (size_t)prototype->ndim : 0;
  int64_t* extents = malloc((ndim + 1) * sizeof(int64_t));
  if (!extents) return refuse("MemoryError", "no memory for a prototype");
  if (ndim) memcpy(extents, prototype->shape, ndim * sizeof(int64_t));
  own.shape = extents;
  int code = real.TVMFFIEnvTensorAlloc(&own, out);
  free(extents);
  return code;
}
