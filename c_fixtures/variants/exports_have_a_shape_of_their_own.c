// story: What a tensor is exported as has copies of the shape and the strides, in one block with the managed tensor.
// admitted: TEN-0020 and TEN-0021: "the fields of the Tensor, each as it is there, and the same data": values of fields, not addresses of arrays, which DLPack leaves to the producer; TEN-0022 holds.
#include "fault.h"

struct plain { DLManagedTensor given; DLManagedTensor* inner; int64_t arrays[]; };
struct versioned { DLManagedTensorVersioned given; DLManagedTensorVersioned* inner; int64_t arrays[]; };

static void end_plain(DLManagedTensor* self) {
  DLManagedTensor* inner = ((struct plain*)self)->inner;
  if (inner->deleter) inner->deleter(inner);
  free(self);
}

static void end_versioned(DLManagedTensorVersioned* self) {
  DLManagedTensorVersioned* inner = ((struct versioned*)self)->inner;
  if (inner->deleter) inner->deleter(inner);
  free(self);
}

static void copy_arrays(DLTensor* tensor, int64_t* arrays) {
  const int32_t ndim = tensor->ndim;
  if (ndim <= 0) return;
  if (tensor->shape) {
    memcpy(arrays, tensor->shape, (size_t)ndim * sizeof(int64_t));
    tensor->shape = arrays;
  }
  if (tensor->strides) {
    memcpy(arrays + ndim, tensor->strides, (size_t)ndim * sizeof(int64_t));
    tensor->strides = arrays + ndim;
  }
}

static size_t arrays_of(const DLTensor* tensor) { return tensor->ndim > 0 ? 2 * (size_t)tensor->ndim * sizeof(int64_t) : 0; }

int TVMFFITensorToDLPack(TVMFFIObjectHandle from, DLManagedTensor** out) {
  DLManagedTensor* inner = NULL;
  if (!out) return real.TVMFFITensorToDLPack(from, out);
  int code = real.TVMFFITensorToDLPack(from, &inner);
  if (code != 0) return code;
  struct plain* made = malloc(sizeof(*made) + arrays_of(&inner->dl_tensor));
  if (!made) {
    if (inner->deleter) inner->deleter(inner);
    return refuse("MemoryError", "no memory for an export");
  }
  made->given = *inner;
  made->inner = inner;
  made->given.manager_ctx = made;
  made->given.deleter = end_plain;
  copy_arrays(&made->given.dl_tensor, made->arrays);
  *out = &made->given;
  return 0;
}

int TVMFFITensorToDLPackVersioned(TVMFFIObjectHandle from, DLManagedTensorVersioned** out) {
  DLManagedTensorVersioned* inner = NULL;
  if (!out) return real.TVMFFITensorToDLPackVersioned(from, out);
  int code = real.TVMFFITensorToDLPackVersioned(from, &inner);
  if (code != 0) return code;
  struct versioned* made = malloc(sizeof(*made) + arrays_of(&inner->dl_tensor));
  if (!made) {
    if (inner->deleter) inner->deleter(inner);
    return refuse("MemoryError", "no memory for an export");
  }
  made->given = *inner;
  made->inner = inner;
  made->given.manager_ctx = made;
  made->given.deleter = end_versioned;
  copy_arrays(&made->given.dl_tensor, made->arrays);
  *out = &made->given;
  return 0;
}
