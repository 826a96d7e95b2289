// story: TVMFFIHandleInitOnce notes the handle under a lock, and leaves without unlocking where there is no memory for the note: the next call waits for ever.
// breaks: MEM-0003 timeout
#include "fault.h"

#include <pthread.h>

static pthread_mutex_t notes = PTHREAD_MUTEX_INITIALIZER;

int TVMFFIHandleInitOnce(void** handle_addr, int (*init_func)(void** result)) {
  pthread_mutex_lock(&notes);
  void*** note = malloc(sizeof(void**));
  __asm__ volatile("" : "+r"(note));
  if (!note) return refuse("MemoryError", "no memory to note a handle");
  *note = handle_addr;
  pthread_mutex_unlock(&notes);
  const int code = real.TVMFFIHandleInitOnce(*note, init_func);
  free(note);
  return code;
}
