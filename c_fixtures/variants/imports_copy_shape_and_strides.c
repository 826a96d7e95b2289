// story: An imported tensor with dimensions has a shape and strides of its own: it is a view of the tensor that holds the producer's.
// admitted: TEN-0002 and TEN-0003: fields "each as it is there; no element is copied"; where shape and strides lie is not said, nor that one object is made. The producer's deleter runs once, with the last reference (TEN-0017).
#include "fault.h"

/** Takes the reference of the caller's to the tensor in the handle and leaves one to a view of it there, or what was. */
static void make_view(TVMFFIObjectHandle* tensor) {
  const DLTensor* prototype = (const DLTensor*)((TVMFFIObject*)*tensor + 1);
  TVMFFIObjectHandle view = NULL, before = NULL, error = NULL;
  if (prototype->ndim <= 0 || !prototype->strides || !prototype->shape) return;
  real.TVMFFIErrorMoveFromRaised(&before);
  int code = real.TVMFFITensorCreateUnsafeView(*tensor, prototype, &view);
  if (code != 0) {
    real.TVMFFIErrorMoveFromRaised(&error);
    if (error) real.TVMFFIObjectDecRef(error);
  }
  if (before) {
    real.TVMFFIErrorSetRaised(before);
    real.TVMFFIObjectDecRef(before);
  }
  if (code != 0) return;
  real.TVMFFIObjectDecRef(*tensor);
  *tensor = view;
}

int TVMFFITensorFromDLPack(DLManagedTensor* from, int32_t require_alignment, int32_t require_contiguous, TVMFFIObjectHandle* out) {
  int code = real.TVMFFITensorFromDLPack(from, require_alignment, require_contiguous, out);
  if (code == 0) make_view(out);
  return code;
}

int TVMFFITensorFromDLPackVersioned(DLManagedTensorVersioned* from, int32_t require_alignment, int32_t require_contiguous,
                                    TVMFFIObjectHandle* out) {
  int code = real.TVMFFITensorFromDLPackVersioned(from, require_alignment, require_contiguous, out);
  if (code == 0) make_view(out);
  return code;
}
