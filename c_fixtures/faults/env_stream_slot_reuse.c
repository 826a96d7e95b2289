// story: The streams of a thread lie in a slot of a table, and the slot of a thread that has ended goes to the next one with the streams that are in it.
// breaks: ENV-0005 fail
#include "fault.h"
#include <pthread.h>
typedef struct { int taken, n; struct { int32_t type, id; void* stream; } set[64]; } Slot;
static Slot slots[256];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static __thread Slot* mine;
static void leave(void* slot) {
  pthread_mutex_lock(&lock);
  ((Slot*)slot)->taken = 0;
  pthread_mutex_unlock(&lock);
}
static void begin(void) { pthread_key_create(&key, leave); }
static void enter(void) {
  if (mine) return;
  pthread_once(&once, begin);
  pthread_mutex_lock(&lock);
  for (int i = 0; i < 256 && !mine; ++i) if (!slots[i].taken) mine = &slots[i];
  if (mine) mine->taken = 1;
  pthread_mutex_unlock(&lock);
  if (!mine) return;
  pthread_setspecific(key, mine);
  for (int i = 0; i < mine->n; ++i) real.TVMFFIEnvSetStream(mine->set[i].type, mine->set[i].id, mine->set[i].stream, NULL);
}
TVMFFIStreamHandle TVMFFIEnvGetStream(int32_t device_type, int32_t device_id) {
  enter();
  return real.TVMFFIEnvGetStream(device_type, device_id);
}
int TVMFFIEnvSetStream(int32_t device_type, int32_t device_id, TVMFFIStreamHandle stream, TVMFFIStreamHandle* out) {
  enter();
  int code = real.TVMFFIEnvSetStream(device_type, device_id, stream, out);
  if (code != 0 || !mine) return code;
  for (int i = 0; i < mine->n; ++i)
    if (mine->set[i].type == device_type && mine->set[i].id == device_id) { mine->set[i].stream = stream; return 0; }
  if (mine->n < 64) {
    mine->set[mine->n].type = device_type;
    mine->set[mine->n].id = device_id;
    mine->set[mine->n++].stream = stream;
  }
  return 0;
}
