// story: When a custom allocator fails during the import of a tensor, the managed tensor was taken over already, and is given to its deleter.
// breaks: TEN-0016 fail
#include "fault.h"

static int allocator_failed(void) {
  TVMFFIObjectHandle raised = NULL;
  real.TVMFFIErrorMoveFromRaised(&raised);
  if (!raised) return 0;
  int other = !is(&((TVMFFIErrorCell*)((TVMFFIObject*)raised + 1))->kind, "RuntimeError");
  real.TVMFFIErrorSetRaised(raised);
  real.TVMFFIObjectDecRef(raised);
  return other;
}

static int installed;

int TVMFFISetCustomAllocator(TVMFFICustomAllocator* allocator) {
  __atomic_store_n(&installed, allocator != NULL, __ATOMIC_RELEASE);
  return real.TVMFFISetCustomAllocator(allocator);
}

int TVMFFITensorFromDLPack(DLManagedTensor* from, int32_t require_alignment, int32_t require_contiguous, TVMFFIObjectHandle* out) {
  int code = real.TVMFFITensorFromDLPack(from, require_alignment, require_contiguous, out);
  if (code != 0 && __atomic_load_n(&installed, __ATOMIC_ACQUIRE) && from && out && from->deleter && allocator_failed()) from->deleter(from);
  return code;
}

int TVMFFITensorFromDLPackVersioned(DLManagedTensorVersioned* from, int32_t require_alignment, int32_t require_contiguous,
                                    TVMFFIObjectHandle* out) {
  int code = real.TVMFFITensorFromDLPackVersioned(from, require_alignment, require_contiguous, out);
  if (code != 0 && __atomic_load_n(&installed, __ATOMIC_ACQUIRE) && from && out && from->version.major == 1 && from->deleter && allocator_failed()) from->deleter(from);
  return code;
}
