// story: What is exported of a view holds a reference to the tensor that it is a view of, not to the view, whose shape and strides it shows.
// breaks: TEN-0022 fail
// chance: Freed memory is used.
#include <pthread.h>
#include "fault.h"

static struct {
  TVMFFIObjectHandle view, source;
} views[4096];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void remember(TVMFFIObjectHandle tensor, TVMFFIObjectHandle source) {
  pthread_mutex_lock(&lock);
  int at = -1;
  for (int i = 0; i < 4096; ++i) {
    if (views[i].view == tensor) {
      at = i;
      break;
    }
    if (at < 0 && !views[i].source) at = i;
  }
  if (at >= 0) {
    views[at].view = tensor;
    views[at].source = source;
  }
  pthread_mutex_unlock(&lock);
}

static TVMFFIObjectHandle source_of(TVMFFIObjectHandle tensor) {
  TVMFFIObjectHandle source = NULL;
  pthread_mutex_lock(&lock);
  for (int i = 0; i < 4096; ++i) {
    if (views[i].view == tensor && views[i].source) source = views[i].source;
  }
  pthread_mutex_unlock(&lock);
  return source;
}

int TVMFFITensorCreateUnsafeView(TVMFFIObjectHandle source, const DLTensor* prototype, TVMFFIObjectHandle* out) {
  int code = real.TVMFFITensorCreateUnsafeView(source, prototype, out);
  if (code == 0) remember(*out, source);
  return code;
}

int TVMFFITensorFromDLPack(DLManagedTensor* from, int32_t require_alignment, int32_t require_contiguous,
                           TVMFFIObjectHandle* out) {
  int code = real.TVMFFITensorFromDLPack(from, require_alignment, require_contiguous, out);
  if (code == 0) remember(*out, NULL);
  return code;
}

int TVMFFITensorFromDLPackVersioned(DLManagedTensorVersioned* from, int32_t require_alignment,
                                    int32_t require_contiguous, TVMFFIObjectHandle* out) {
  int code = real.TVMFFITensorFromDLPackVersioned(from, require_alignment, require_contiguous, out);
  if (code == 0) remember(*out, NULL);
  return code;
}

int TVMFFIEnvTensorAlloc(DLTensor* prototype, TVMFFIObjectHandle* out) {
  int code = real.TVMFFIEnvTensorAlloc(prototype, out);
  if (code == 0) remember(*out, NULL);
  return code;
}

int TVMFFITensorToDLPack(TVMFFIObjectHandle from, DLManagedTensor** out) {
  TVMFFIObjectHandle source = from ? source_of(from) : NULL;
  int code = real.TVMFFITensorToDLPack(source ? source : from, out);
  if (code == 0 && source) (*out)->dl_tensor = *(DLTensor*)((TVMFFIObject*)from + 1);
  return code;
}

int TVMFFITensorToDLPackVersioned(TVMFFIObjectHandle from, DLManagedTensorVersioned** out) {
  TVMFFIObjectHandle source = from ? source_of(from) : NULL;
  int code = real.TVMFFITensorToDLPackVersioned(source ? source : from, out);
  if (code == 0 && source) (*out)->dl_tensor = *(DLTensor*)((TVMFFIObject*)from + 1);
  return code;
}
