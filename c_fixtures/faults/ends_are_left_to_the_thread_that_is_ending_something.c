// story: The queue of objects that are to end is one for the process: while a thread runs a deleter, the last references that other threads give up are ended by that thread, later.
// breaks: OBJ-0009 fail
#include "fault.h"

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static TVMFFIObject* waiting[1024];
static int num_waiting, busy;
static pthread_t owner;

int TVMFFIObjectDecRef(TVMFFIObjectHandle obj) {
  TVMFFIObject* object = obj;
  if (!object || (uint32_t)__atomic_load_n(&object->combined_ref_count, __ATOMIC_ACQUIRE) != 1) return real.TVMFFIObjectDecRef(obj);
  pthread_mutex_lock(&lock);
  if (busy && !pthread_equal(owner, pthread_self()) && num_waiting < 1024) {
    waiting[num_waiting++] = object;
    pthread_mutex_unlock(&lock);
    return 0;
  }
  const int first = !busy;
  if (first) busy = 1, owner = pthread_self();
  pthread_mutex_unlock(&lock);
  const int code = real.TVMFFIObjectDecRef(obj);
  if (!first) return code;
  pthread_mutex_lock(&lock);
  while (num_waiting > 0) {
    TVMFFIObject* next = waiting[--num_waiting];
    pthread_mutex_unlock(&lock);
    real.TVMFFIObjectDecRef(next);
    pthread_mutex_lock(&lock);
  }
  busy = 0;
  pthread_mutex_unlock(&lock);
  return code;
}
