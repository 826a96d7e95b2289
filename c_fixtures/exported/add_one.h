/* y = x + 1 with every look that a careful function takes at what it is given. A file that includes this may leave one out. */
#ifndef TVM_FFI_FIXTURES_ADD_ONE_H_
#define TVM_FFI_FIXTURES_ADD_ONE_H_

#include "kernel.h"

#ifndef ERROR_KIND
#define ERROR_KIND "ValueError"
#endif

/* What is done with what is not taken. */
#ifndef REFUSE
#define REFUSE(message) return (TVMFFIErrorSetRaisedFromCStr(ERROR_KIND, message), -1)
#endif

static inline int tensor_of(const TVMFFIAny* value, DLTensor** out) {
  *out = (DLTensor*)value->v_ptr;
  if (value->type_index == kTVMFFITensor) *out = (DLTensor*)((char*)value->v_obj + sizeof(TVMFFIObject));
#ifndef WITHOUT_KIND
  else if (value->type_index != kTVMFFIDLTensorPtr) REFUSE("expected a tensor");
#endif
#ifndef WITHOUT_NULL
  if (*out == NULL) REFUSE("expected a tensor, not NULL");
#endif
  return 0;
}

static inline int64_t stride_of(const DLTensor* tensor) {
#ifdef WITHOUT_STRIDES
  return (void)tensor, 1;
#elif defined(WITHOUT_NULL_STRIDES)
  return tensor->strides[0];
#elif defined(WITHOUT_STRIDES_BELOW_ZERO)
  return tensor->strides == NULL ? 1 : llabs(tensor->strides[0]);
#else
  return tensor->strides == NULL ? 1 : tensor->strides[0];
#endif
}

static inline float* data_of(const DLTensor* tensor) {
#ifdef WITHOUT_BYTE_OFFSET
  return (float*)tensor->data;
#else
  return (float*)((char*)tensor->data + tensor->byte_offset);
#endif
}

/* Whether a tensor is a vector of floats on the host. */
static inline int look_at(const DLTensor* tensor) {
#ifndef WITHOUT_DIMENSIONS
  if (tensor->ndim != 1) REFUSE("expected one dimension");
#endif
#ifndef WITHOUT_DTYPE
  if (tensor->dtype.code != kDLFloat || tensor->dtype.bits != 32 || tensor->dtype.lanes != 1) REFUSE("expected float32");
#endif
#ifndef WITHOUT_DEVICE
  if (tensor->device.device_type != kDLCPU) REFUSE("expected memory of the host");
#endif
  return 0;
}

static inline int take(const TVMFFIAny* args, int32_t num_args, DLTensor** x, DLTensor** y) {
#ifndef WITHOUT_COUNT
  if (num_args != 2) REFUSE("expected 2 arguments");
#else
  (void)num_args;
#endif
  if (tensor_of(&args[0], x) != 0 || tensor_of(&args[1], y) != 0) return -1;
  if (look_at(*x) != 0 || look_at(*y) != 0) return -1;
#ifndef WITHOUT_EXTENTS
  if ((*x)->shape[0] != (*y)->shape[0]) REFUSE("expected as many elements in both");
#endif
  return 0;
}

static inline void add_one(const DLTensor* x, const DLTensor* y, int64_t count) {
  const float* from = data_of(x);
  float* to = data_of(y);
  for (int64_t i = 0; i < count; ++i) to[i * stride_of(y)] = from[i * stride_of(x)] + 1;
}

/* What comes before and after. */
#ifndef BEFORE
#define BEFORE
#endif
#ifndef AFTER
#define AFTER
#endif
#ifndef COUNT
#define COUNT (x->shape[0])
#endif

KERNEL(add_one) {
  DLTensor *x, *y;
  BEFORE;
  if (take(args, num_args, &x, &y) != 0) return -1;
  add_one(x, y, COUNT);
  AFTER;
  return 0;
}

#endif
