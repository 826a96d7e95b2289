// story: TVMFFIHandleInitOnce keeps a once-flag for each address, so a new handle where an old one was, which its owner has given up with its memory, is never filled.
// breaks: ONC-0001 fail
#include <pthread.h>
#include "fault.h"
static void** known[4096];
static int num_known;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int place_of(void** handle) {
  int i = num_known - 1;
  while (i >= 0 && known[i] != handle) --i;
  return i;
}
int TVMFFIHandleInitOnce(void** handle_addr, int (*init_func)(void** result)) {
  if (!handle_addr) return real.TVMFFIHandleInitOnce(handle_addr, init_func);
  pthread_mutex_lock(&lock);
  const int is_known = place_of(handle_addr) >= 0;
  pthread_mutex_unlock(&lock);
  if (is_known) return 0;
  int code = real.TVMFFIHandleInitOnce(handle_addr, init_func);
  if (code != 0) return code;
  pthread_mutex_lock(&lock);
  if (place_of(handle_addr) < 0 && num_known < 4096) known[num_known++] = handle_addr;
  pthread_mutex_unlock(&lock);
  return 0;
}
int TVMFFIHandleDeinitOnce(void** handle_addr, int (*deinit_func)(void* handle)) {
  pthread_mutex_lock(&lock);
  const int i = place_of(handle_addr);
  if (i >= 0) known[i] = known[--num_known];
  pthread_mutex_unlock(&lock);
  return real.TVMFFIHandleDeinitOnce(handle_addr, deinit_func);
}
