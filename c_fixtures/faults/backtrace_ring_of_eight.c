// story: Backtraces are handed out of a ring of eight places that all threads share: the eighth one that another thread takes overwrites this thread's latest.
// breaks: BTR-0004 fail
#include <pthread.h>
#include "fault.h"
const TVMFFIByteArray* TVMFFIBacktrace(const char* filename, int lineno, const char* func, int cross_ffi_boundary) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static struct { TVMFFIByteArray text; char content[1 << 16]; } ring[8];
  static unsigned next;
  const TVMFFIByteArray* found = real.TVMFFIBacktrace(filename, lineno, func, cross_ffi_boundary);
  if (found->size >= sizeof(ring[0].content)) return found;
  pthread_mutex_lock(&lock);
  unsigned i = next++ % 8;
  memcpy(ring[i].content, found->data, found->size);
  ring[i].content[found->size] = 0;
  ring[i].text = (TVMFFIByteArray){ring[i].content, found->size};
  pthread_mutex_unlock(&lock);
  return &ring[i].text;
}
