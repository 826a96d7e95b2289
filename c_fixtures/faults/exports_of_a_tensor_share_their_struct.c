// story: A second versioned export of a Tensor, while the first is out, is the same struct, which ends with the first of its deleters' calls.
// breaks: TEN-0022 fail
// chance: Freed memory is used.
#include "fault.h"
#include <pthread.h>

struct out_now {
  TVMFFIObjectHandle tensor;
  DLManagedTensorVersioned* managed;
  void (*deleter)(DLManagedTensorVersioned*);
};
static struct out_now last;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void end(DLManagedTensorVersioned* managed) {
  pthread_mutex_lock(&lock);
  void (*deleter)(DLManagedTensorVersioned*) = last.managed == managed ? last.deleter : NULL;
  if (deleter) memset(&last, 0, sizeof(last));
  pthread_mutex_unlock(&lock);
  if (deleter) deleter(managed);
}

int TVMFFITensorToDLPackVersioned(TVMFFIObjectHandle from, DLManagedTensorVersioned** out) {
  pthread_mutex_lock(&lock);
  if (from && out && last.tensor == from) {
    *out = last.managed;
    pthread_mutex_unlock(&lock);
    return 0;
  }
  int code = real.TVMFFITensorToDLPackVersioned(from, out);
  if (code == 0 && !last.tensor) {
    last = (struct out_now){from, *out, (*out)->deleter};
    (*out)->deleter = end;
  }
  pthread_mutex_unlock(&lock);
  return code;
}
