// story: TVMFFIErrorCreate uses the thread's backtrace buffer as scratch space, so a backtrace that was taken before changes although no other is taken and nothing is raised.
// breaks: BTR-0004 fail
#include <pthread.h>
#include "fault.h"
struct buffer { TVMFFIByteArray shown; char* text; };
static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static void forget(void* place) { free(((struct buffer*)place)->text); free(place); }
static void make_key(void) { pthread_key_create(&key, forget); }
const TVMFFIByteArray* TVMFFIBacktrace(const char* filename, int lineno, const char* func, int cross_ffi_boundary) {
  const TVMFFIByteArray* taken = real.TVMFFIBacktrace(filename, lineno, func, cross_ffi_boundary);
  pthread_once(&once, make_key);
  struct buffer* buffer = pthread_getspecific(key);
  if (!buffer) pthread_setspecific(key, buffer = calloc(1, sizeof *buffer));
  buffer->text = realloc(buffer->text, taken->size + 1);
  memcpy(buffer->text, taken->data, taken->size);
  buffer->text[taken->size] = 0;
  buffer->shown = (TVMFFIByteArray){buffer->text, taken->size};
  return &buffer->shown;
}
int TVMFFIErrorCreate(const TVMFFIByteArray* kind, const TVMFFIByteArray* message, const TVMFFIByteArray* backtrace, TVMFFIObjectHandle* out) {
  pthread_once(&once, make_key);
  struct buffer* buffer = pthread_getspecific(key);
  if (!buffer || !message || !backtrace || backtrace->data == buffer->text) return real.TVMFFIErrorCreate(kind, message, backtrace, out);
  int code = real.TVMFFIErrorCreate(kind, message, backtrace, out);
  if (code == 0 && message->size <= buffer->shown.size) memmove(buffer->text, message->data, message->size);
  return code;
}
