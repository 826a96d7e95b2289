// story: Backtraces are kept in a table of slots, one for each thread, and a new thread gets the slot whose number is the count of threads that have one: after another has ended that is the slot of a thread that still lives.
// breaks: BTR-0004 fail
#include "fault.h"
#include <pthread.h>

enum { SLOTS = 1024 };
static struct { TVMFFIByteArray view; char* text; } slots[SLOTS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static int threads;

static void thread_ends(void* slot) {
  (void)slot;
  pthread_mutex_lock(&lock);
  --threads;
  pthread_mutex_unlock(&lock);
}

static void make_key(void) { pthread_key_create(&key, thread_ends); }

const TVMFFIByteArray* TVMFFIBacktrace(const char* filename, int lineno, const char* func, int cross_ffi_boundary) {
  const TVMFFIByteArray* taken = real.TVMFFIBacktrace(filename, lineno, func, cross_ffi_boundary);
  pthread_once(&once, make_key);
  size_t slot = (size_t)pthread_getspecific(key);
  pthread_mutex_lock(&lock);
  if (slot == 0 && threads < SLOTS) {
    slot = (size_t)++threads;
    pthread_setspecific(key, (void*)slot);
  }
  if (slot == 0) return pthread_mutex_unlock(&lock), taken;
  char* text = realloc(slots[slot - 1].text, taken->size + 1);
  if (text) {
    memcpy(text, taken->data, taken->size);
    text[taken->size] = 0;
    slots[slot - 1].text = text;
    slots[slot - 1].view = (TVMFFIByteArray){text, taken->size};
  }
  pthread_mutex_unlock(&lock);
  return text ? &slots[slot - 1].view : taken;
}
