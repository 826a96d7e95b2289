// story: The deleter of an exported tensor makes a copy of its shape first and gives nothing back where there is no memory for it.
// breaks: MEM-0004 fail
#include "fault.h"

static void (*end_export)(DLManagedTensor* self);

static void end_with_copy(DLManagedTensor* self) {
  const int32_t ndim = self->dl_tensor.ndim;
  int64_t* shape = malloc(sizeof(int64_t) * (ndim + 1));
  if (!shape) return;
  if (ndim) memcpy(shape, self->dl_tensor.shape, sizeof(int64_t) * ndim);
  __asm__ volatile("" : : "r"(shape) : "memory");
  __atomic_load_n(&end_export, __ATOMIC_ACQUIRE)(self);
  free(shape);
}

int TVMFFITensorToDLPack(TVMFFIObjectHandle from, DLManagedTensor** out) {
  int code = real.TVMFFITensorToDLPack(from, out);
  if (code != 0) return code;
  /* It is the same for all. */
  __atomic_store_n(&end_export, (*out)->deleter, __ATOMIC_RELEASE);
  (*out)->deleter = end_with_copy;
  return 0;
}
