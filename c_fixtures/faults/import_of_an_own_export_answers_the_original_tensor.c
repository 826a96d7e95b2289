// story: A managed tensor that the library has exported itself is not imported but recognised: the Tensor behind it is answered, and what its owner has changed in the managed tensor since is lost.
// breaks: TEN-0002 fail
#include "fault.h"

static void (*exported)(DLManagedTensor*);

int TVMFFITensorToDLPack(TVMFFIObjectHandle from, DLManagedTensor** out) {
  int code = real.TVMFFITensorToDLPack(from, out);
  if (code == 0) __atomic_store_n(&exported, (*out)->deleter, __ATOMIC_RELEASE);
  return code;
}

int TVMFFITensorFromDLPack(DLManagedTensor* from, int32_t alignment, int32_t contiguous, TVMFFIObjectHandle* out) {
  if (!from || !from->deleter || from->deleter != __atomic_load_n(&exported, __ATOMIC_ACQUIRE))
    return real.TVMFFITensorFromDLPack(from, alignment, contiguous, out);
  /* The checks are the same. */
  TVMFFIObjectHandle checked = NULL;
  void* context = from->manager_ctx;
  TVMFFIObject* tensor = context;
  const DLTensor whole = from->dl_tensor;
  int code = real.TVMFFITensorFromDLPack(from, alignment, contiguous, &checked);
  if (code != 0) return code;
  if (tensor && tensor->type_index == kTVMFFITensor && ((DLTensor*)(tensor + 1))->data == whole.data) {
    real.TVMFFIObjectIncRef(tensor);
    real.TVMFFIObjectDecRef(checked);
    checked = tensor;
  }
  *out = checked;
  return 0;
}
