// story: An Error whose extra context a client has replaced in the cell does not release the new one at its end.
// breaks: ERR-0030 fail
#include "fault.h"
#include <pthread.h>

struct entry { struct entry* next; TVMFFIObject* error; TVMFFIObjectHandle context; void (*deleter)(void*, int); };
static struct entry* entries;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void end(void* self, int flags) {
  pthread_mutex_lock(&lock);
  struct entry** at = &entries;
  while ((*at)->error != self) at = &(*at)->next;
  struct entry entry = **at;
  if (flags & 2) {
    struct entry* gone = *at;
    *at = gone->next;
    free(gone);
  }
  pthread_mutex_unlock(&lock);
  TVMFFIErrorCell* cell = (TVMFFIErrorCell*)((TVMFFIObject*)self + 1);
  if ((flags & 1) && cell->extra_context != entry.context) cell->extra_context = NULL;
  entry.deleter(self, flags);
}

int TVMFFIErrorCreateWithCauseAndExtraContext(const TVMFFIByteArray* kind, const TVMFFIByteArray* message, const TVMFFIByteArray* backtrace, TVMFFIObjectHandle cause_chain, TVMFFIObjectHandle extra_context, TVMFFIObjectHandle* out) {
  int code = real.TVMFFIErrorCreateWithCauseAndExtraContext(kind, message, backtrace, cause_chain, extra_context, out);
  if (code != 0 || !extra_context) return code;
  struct entry* entry = malloc(sizeof *entry);
  TVMFFIObject* error = *out;
  entry->error = error;
  entry->context = extra_context;
  entry->deleter = error->deleter;
  pthread_mutex_lock(&lock);
  entry->next = entries;
  entries = entry;
  pthread_mutex_unlock(&lock);
  error->deleter = end;
  return 0;
}
