// story: A new array keeps the caller's extents.
// breaks: LEG-0025 fail
#include "fault.h"

int TVMArrayAlloc(const tvm_index_t* shape, int ndim, int dtype_code, int dtype_bits, int dtype_lanes, int device_type, int device_id, TVMArrayHandle* out) {
  int code = real.TVMArrayAlloc(shape, ndim, dtype_code, dtype_bits, dtype_lanes, device_type, device_id, out);
  if (code == 0 && ndim == 2) (*out)->shape = (int64_t*)shape;
  return code;
}
