// story: A view of a view forgets that the tensor was imported as read-only.
// breaks: TEN-0042 fail
#include "fault.h"
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct { void* tensor; int level; } known[4096];
static int used;
static int level_of(void* tensor) {
  for (int i = 0; i < used; ++i) if (known[i].tensor == tensor) return known[i].level;
  return 0;
}
static void set_level(void* tensor, int level) {
  for (int i = 0; i < used; ++i) if (known[i].tensor == tensor) { known[i].level = level; return; }
  if (level && used < 4096) { known[used].tensor = tensor; known[used++].level = level; }
}
int TVMFFITensorFromDLPackVersioned(DLManagedTensorVersioned* from, int32_t alignment, int32_t contiguous, TVMFFIObjectHandle* out) {
  int code = real.TVMFFITensorFromDLPackVersioned(from, alignment, contiguous, out);
  pthread_mutex_lock(&lock);
  if (code == 0) set_level(*out, 0);
  pthread_mutex_unlock(&lock);
  return code;
}
int TVMFFITensorCreateUnsafeView(TVMFFIObjectHandle source, const DLTensor* prototype, TVMFFIObjectHandle* out) {
  int code = real.TVMFFITensorCreateUnsafeView(source, prototype, out);
  pthread_mutex_lock(&lock);
  if (code == 0) set_level(*out, level_of(source) + 1);
  pthread_mutex_unlock(&lock);
  return code;
}
int TVMFFITensorToDLPackVersioned(TVMFFIObjectHandle from, DLManagedTensorVersioned** out) {
  int code = real.TVMFFITensorToDLPackVersioned(from, out);
  pthread_mutex_lock(&lock);
  if (code == 0 && level_of(from) >= 2) (*out)->flags &= ~(uint64_t)DLPACK_FLAG_BITMASK_READ_ONLY;
  pthread_mutex_unlock(&lock);
  return code;
}
