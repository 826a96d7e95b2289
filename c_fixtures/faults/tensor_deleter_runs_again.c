// story: The producer's deleter is called a second time when the last weak reference to its tensor goes.
// breaks: TEN-0019 fail
#include "fault.h"

static void (*end)(void* self, int flags);
/* The latest import of this thread. */
static _Thread_local void* latest;
static _Thread_local DLManagedTensor producers;

static void end_again(void* self, int flags) {
  if (flags == kTVMFFIObjectDeleterFlagBitMaskWeak && self == latest) producers.deleter(&producers);
  end(self, flags);
}

int TVMFFITensorFromDLPack(DLManagedTensor* from, int32_t require_alignment, int32_t require_contiguous,
                           TVMFFIObjectHandle* out) {
  int code = real.TVMFFITensorFromDLPack(from, require_alignment, require_contiguous, out);
  if (code == 0 && from->deleter != NULL) {
    TVMFFIObject* tensor = *out;
    end = tensor->deleter;
    latest = tensor;
    producers = *from;
    tensor->deleter = end_again;
  }
  return code;
}
