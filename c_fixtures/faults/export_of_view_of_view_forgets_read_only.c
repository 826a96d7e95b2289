// story: A view inherits the mark of a read-only tensor from the tensor that it is a view of, but not from another view.
// breaks: TEN-0042 fail
#include <pthread.h>
#include "fault.h"

/* How often something is a view; what is not there is none. */
static struct {
  TVMFFIObjectHandle tensor;
  int depth;
} views[4096];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int depth_of(TVMFFIObjectHandle tensor) {
  int depth = 0;
  pthread_mutex_lock(&lock);
  for (int i = 0; i < 4096; ++i) {
    if (views[i].tensor == tensor) depth = views[i].depth;
  }
  pthread_mutex_unlock(&lock);
  return depth;
}

static void remember(TVMFFIObjectHandle tensor, int depth) {
  pthread_mutex_lock(&lock);
  int at = -1;
  for (int i = 0; i < 4096; ++i) {
    if (views[i].tensor == tensor) {
      at = i;
      break;
    }
    if (at < 0 && (!views[i].tensor || !views[i].depth)) at = i;
  }
  if (at >= 0) {
    views[at].tensor = tensor;
    views[at].depth = depth;
  }
  pthread_mutex_unlock(&lock);
}

int TVMFFITensorCreateUnsafeView(TVMFFIObjectHandle source, const DLTensor* prototype, TVMFFIObjectHandle* out) {
  int code = real.TVMFFITensorCreateUnsafeView(source, prototype, out);
  if (code == 0) remember(*out, depth_of(source) + 1);
  return code;
}

int TVMFFITensorFromDLPack(DLManagedTensor* from, int32_t require_alignment, int32_t require_contiguous,
                           TVMFFIObjectHandle* out) {
  int code = real.TVMFFITensorFromDLPack(from, require_alignment, require_contiguous, out);
  if (code == 0) remember(*out, 0);
  return code;
}

int TVMFFITensorFromDLPackVersioned(DLManagedTensorVersioned* from, int32_t require_alignment,
                                    int32_t require_contiguous, TVMFFIObjectHandle* out) {
  int code = real.TVMFFITensorFromDLPackVersioned(from, require_alignment, require_contiguous, out);
  if (code == 0) remember(*out, 0);
  return code;
}

int TVMFFITensorToDLPackVersioned(TVMFFIObjectHandle from, DLManagedTensorVersioned** out) {
  int code = real.TVMFFITensorToDLPackVersioned(from, out);
  if (code == 0 && depth_of(from) > 1) (*out)->flags &= ~(uint64_t)DLPACK_FLAG_BITMASK_READ_ONLY;
  return code;
}
