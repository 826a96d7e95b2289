// story: A view of a view of a read-only tensor is exported as writable: the flag is looked for in the direct source only.
// breaks: TEN-0042 fail
// chance: Tensors are told by their addresses: whether one more is noted, for which there may be no memory, depends on who has had the place before.
#include "fault.h"
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct known { struct known* next; void* tensor; int level; } *table[1024];
static int level_of(void* tensor, int set, int level) {
  struct known** at = &table[(uintptr_t)tensor / 16 % 1024];
  pthread_mutex_lock(&lock);
  while (*at && (*at)->tensor != tensor) at = &(*at)->next;
  if (set && (*at || level)) {
    if (!*at) { *at = calloc(1, sizeof **at); (*at)->tensor = tensor; }
    (*at)->level = level;
  }
  int found = *at ? (*at)->level : 0;
  pthread_mutex_unlock(&lock);
  return found;
}
int TVMFFITensorFromDLPack(DLManagedTensor* from, int32_t alignment, int32_t contiguous, TVMFFIObjectHandle* out) {
  int code = real.TVMFFITensorFromDLPack(from, alignment, contiguous, out);
  if (code == 0) level_of(*out, 1, 0);
  return code;
}
int TVMFFITensorFromDLPackVersioned(DLManagedTensorVersioned* from, int32_t alignment, int32_t contiguous, TVMFFIObjectHandle* out) {
  int code = real.TVMFFITensorFromDLPackVersioned(from, alignment, contiguous, out);
  if (code == 0) level_of(*out, 1, 0);
  return code;
}
int TVMFFITensorCreateUnsafeView(TVMFFIObjectHandle source, const DLTensor* prototype, TVMFFIObjectHandle* out) {
  int code = real.TVMFFITensorCreateUnsafeView(source, prototype, out);
  if (code == 0) level_of(*out, 1, level_of(source, 0, 0) + 1);
  return code;
}
int TVMFFITensorToDLPackVersioned(TVMFFIObjectHandle from, DLManagedTensorVersioned** out) {
  int code = real.TVMFFITensorToDLPackVersioned(from, out);
  if (code == 0 && level_of(from, 0, 0) >= 2) (*out)->flags &= ~(uint64_t)1;
  return code;
}
