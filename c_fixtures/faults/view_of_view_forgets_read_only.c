// story: A view takes over that its source is read-only when the source was imported, but not when the source is a view itself.
// breaks: TEN-0042 fail
#include "fault.h"
static void (*end_view)(void* self, int flags);
static void end_view_of_view(void* self, int flags) { __atomic_load_n(&end_view, __ATOMIC_ACQUIRE)(self, flags); }
int TVMFFITensorCreateUnsafeView(TVMFFIObjectHandle source, const DLTensor* prototype, TVMFFIObjectHandle* out) {
  void (*of_source)(void*, int) = source ? ((TVMFFIObject*)source)->deleter : NULL;
  int code = real.TVMFFITensorCreateUnsafeView(source, prototype, out);
  if (code != 0) return code;
  TVMFFIObject* view = *out;
  if (of_source == view->deleter || of_source == end_view_of_view) {
    __atomic_store_n(&end_view, view->deleter, __ATOMIC_RELEASE);
    view->deleter = end_view_of_view;
  }
  return 0;
}
int TVMFFITensorToDLPackVersioned(TVMFFIObjectHandle from, DLManagedTensorVersioned** out) {
  int code = real.TVMFFITensorToDLPackVersioned(from, out);
  if (code == 0 && ((TVMFFIObject*)from)->deleter == end_view_of_view) (*out)->flags &= ~DLPACK_FLAG_BITMASK_READ_ONLY;
  return code;
}
