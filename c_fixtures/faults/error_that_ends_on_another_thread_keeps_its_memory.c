// story: The memory of an Error goes back to the thread that has made it, and is lost where the Error ends on another.
// breaks: ERR-0020 leak
#include <pthread.h>

#include "raised_error.h"

static void (*own)(void* self, int flags);
static struct made { void* error; pthread_t thread; } all_made[1 << 17];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct made* place_of(const void* error) {
  uint32_t place = (uint32_t)((uint64_t)error >> 4) * 2654435761u >> 15;
  for (int i = 0; i < 64; ++i) {
    struct made* made = &all_made[(place + i) % (1 << 17)];
    if (made->error == error) return made;
  }
  return NULL;
}

static void end(void* self, int flags) {
  int is_other = 0;
  if (flags & 2) {
    pthread_mutex_lock(&lock);
    struct made* made = place_of(self);
    if (made) is_other = !pthread_equal(made->thread, pthread_self()), made->error = NULL;
    pthread_mutex_unlock(&lock);
  }
  if (!is_other) own(self, flags);
  else if (flags & 1) own(self, 1);
}

int TVMFFIErrorCreate(const TVMFFIByteArray* kind, const TVMFFIByteArray* message, const TVMFFIByteArray* backtrace,
                      TVMFFIObjectHandle* out) {
  int code = real.TVMFFIErrorCreate(kind, message, backtrace, out);
  if (code != 0) return code;
  TVMFFIObject* error = *out;
  pthread_mutex_lock(&lock);
  own = error->deleter;
  uint32_t place = (uint32_t)((uint64_t)error >> 4) * 2654435761u >> 15;
  for (int i = 0; i < 64; ++i) {
    struct made* made = &all_made[(place + i) % (1 << 17)];
    if (made->error) continue;
    *made = (struct made){error, pthread_self()};
    error->deleter = end;
    break;
  }
  pthread_mutex_unlock(&lock);
  return 0;
}
