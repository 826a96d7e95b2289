// story: A view of a view of a tensor that was imported as read-only is exported as writable.
// breaks: TEN-0042 fail

#include "fault.h"

#include <pthread.h>

static TVMFFIObjectHandle views[256], views_of_views[256];
static unsigned num_views, num_second;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int is_in(TVMFFIObjectHandle* all, TVMFFIObjectHandle one) {
  for (int i = 0; i < 256; ++i) {
    if (all[i] == one) return 1;
  }
  return 0;
}

int TVMFFITensorCreateUnsafeView(TVMFFIObjectHandle source, const DLTensor* prototype, TVMFFIObjectHandle* out) {
  int code = real.TVMFFITensorCreateUnsafeView(source, prototype, out);
  if (code != 0) return code;
  pthread_mutex_lock(&lock);
  for (int i = 0; i < 256; ++i) {
    if (views[i] == *out) views[i] = NULL;
    if (views_of_views[i] == *out) views_of_views[i] = NULL;
  }
  if (is_in(views, source)) views_of_views[num_second++ & 255] = *out;
  views[num_views++ & 255] = *out;
  pthread_mutex_unlock(&lock);
  return 0;
}

int TVMFFITensorToDLPackVersioned(TVMFFIObjectHandle from, DLManagedTensorVersioned** out) {
  int code = real.TVMFFITensorToDLPackVersioned(from, out);
  pthread_mutex_lock(&lock);
  if (code == 0 && is_in(views_of_views, from)) (*out)->flags &= ~DLPACK_FLAG_BITMASK_READ_ONLY;
  pthread_mutex_unlock(&lock);
  return code;
}
