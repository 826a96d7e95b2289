// story: Whether a view is read-only is looked up in the tensor it was made of, and not in the one that that was made of.
// breaks: TEN-0042 fail
#include "fault.h"

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct { void* tensor; int views; } known[4096];
static int next;

static int views_of(void* tensor) {
  for (int i = 0; i < 4096; ++i) {
    if (known[i].tensor == tensor) return known[i].views;
  }
  return 0;
}

static void note(void* tensor, int views) {
  for (int i = 0; i < 4096; ++i) {
    if (known[i].tensor == tensor) known[i].tensor = NULL;
  }
  if (views == 0) return;
  known[next % 4096].tensor = tensor;
  known[next++ % 4096].views = views;
}

static int noted(int code, TVMFFIObjectHandle* out) {
  if (code != 0) return code;
  pthread_mutex_lock(&lock);
  note(*out, 0);
  pthread_mutex_unlock(&lock);
  return 0;
}

int TVMFFITensorFromDLPack(DLManagedTensor* from, int32_t require_alignment, int32_t require_contiguous, TVMFFIObjectHandle* out) {
  return noted(real.TVMFFITensorFromDLPack(from, require_alignment, require_contiguous, out), out);
}

int TVMFFITensorFromDLPackVersioned(DLManagedTensorVersioned* from, int32_t require_alignment, int32_t require_contiguous, TVMFFIObjectHandle* out) {
  return noted(real.TVMFFITensorFromDLPackVersioned(from, require_alignment, require_contiguous, out), out);
}

int TVMFFIEnvTensorAlloc(DLTensor* prototype, TVMFFIObjectHandle* out) {
  return noted(real.TVMFFIEnvTensorAlloc(prototype, out), out);
}

int TVMFFITensorCreateUnsafeView(TVMFFIObjectHandle source, const DLTensor* prototype, TVMFFIObjectHandle* out) {
  const int code = real.TVMFFITensorCreateUnsafeView(source, prototype, out);
  if (code != 0) return code;
  pthread_mutex_lock(&lock);
  note(*out, views_of(source) + 1);
  pthread_mutex_unlock(&lock);
  return 0;
}

int TVMFFITensorToDLPackVersioned(TVMFFIObjectHandle from, DLManagedTensorVersioned** out) {
  const int code = real.TVMFFITensorToDLPackVersioned(from, out);
  if (code != 0) return code;
  pthread_mutex_lock(&lock);
  if (views_of(from) > 1) (*out)->flags &= ~DLPACK_FLAG_BITMASK_READ_ONLY;
  pthread_mutex_unlock(&lock);
  return 0;
}

