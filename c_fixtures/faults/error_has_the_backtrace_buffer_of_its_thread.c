// story: The backtrace of an error that is raised from C strings is no copy any more but the thread's own backtrace buffer, so an error that is kept has the backtrace of the one that was raised after it.
// breaks: ERR-0003 fail
#include "fault.h"
#include <pthread.h>

enum { ROOM = 1 << 15 };
static __thread char* buffer;

/* The buffer of a thread that has ended is that of the next one that needs one: errors outlive their thread. */
static char* spare[256];
static int spares;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;

static void give_back(void* text) {
  pthread_mutex_lock(&lock);
  if (spares < 256) spare[spares++] = text;
  pthread_mutex_unlock(&lock);
}

static void make_key(void) { pthread_key_create(&key, give_back); }

static char* take_buffer(void) {
  pthread_once(&once, make_key);
  pthread_mutex_lock(&lock);
  char* text = spares > 0 ? spare[--spares] : NULL;
  pthread_mutex_unlock(&lock);
  if (!text) text = calloc(1, ROOM);
  pthread_setspecific(key, text);
  return text;
}

/* The backtrace in the cell is the text in the buffer, if that is as long as it. */
static void share(void) {
  TVMFFIObjectHandle error = NULL;
  real.TVMFFIErrorMoveFromRaised(&error);
  if (!error) return;
  TVMFFIErrorCell* cell = (TVMFFIErrorCell*)((TVMFFIObject*)error + 1);
  if (!buffer) buffer = take_buffer();
  if (buffer && cell->backtrace.size < ROOM) {
    if (cell->backtrace.size) memcpy(buffer, cell->backtrace.data, cell->backtrace.size);
    memset(buffer + cell->backtrace.size, 0, ROOM - cell->backtrace.size);
    cell->backtrace.data = buffer;
  }
  real.TVMFFIErrorSetRaised(error);
  real.TVMFFIObjectDecRef(error);
}

void TVMFFIErrorSetRaisedFromCStr(const char* kind, const char* message) {
  real.TVMFFIErrorSetRaisedFromCStr(kind, message);
  share();
}

void TVMFFIErrorSetRaisedFromCStrParts(const char* kind, const char** message_parts, int32_t num_parts) {
  real.TVMFFIErrorSetRaisedFromCStrParts(kind, message_parts, num_parts);
  share();
}
