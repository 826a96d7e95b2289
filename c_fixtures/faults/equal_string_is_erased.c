// story: The end of a String of 31 bytes blanks the others that have the same content.
// breaks: STR-0017 fail
#include <pthread.h>

#include "fault.h"

enum { LENGTH = 31, ROOM = 64 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static TVMFFIObject* alive[ROOM];
static void (*original_end)(void*, int);

static char* bytes_of(TVMFFIObject* string) { return (char*)((TVMFFIByteArray*)(string + 1))->data; }

static void end(void* self, int flags) {
  if (flags & kTVMFFIObjectDeleterFlagBitMaskStrong) {
    pthread_mutex_lock(&lock);
    for (int i = 0; i < ROOM; ++i) {
      if (alive[i] == self) alive[i] = NULL;
      if (alive[i] && memcmp(bytes_of(alive[i]), bytes_of(self), LENGTH) == 0) memset(bytes_of(alive[i]), ' ', LENGTH);
    }
    pthread_mutex_unlock(&lock);
  }
  __atomic_load_n(&original_end, __ATOMIC_ACQUIRE)(self, flags);
}

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  int code = real.TVMFFIStringFromByteArray(input, out);
  if (code != 0 || out->type_index != kTVMFFIStr || input->size != LENGTH) return code;
  pthread_mutex_lock(&lock);
  for (int i = 0; i < ROOM; ++i) {
    if (alive[i]) continue;
    alive[i] = out->v_obj;
    __atomic_store_n(&original_end, out->v_obj->deleter, __ATOMIC_RELEASE);
    out->v_obj->deleter = end;
    break;
  }
  pthread_mutex_unlock(&lock);
  return 0;
}
