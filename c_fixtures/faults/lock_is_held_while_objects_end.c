// story: A lock is held while the deleter of an object runs, which waits for itself when it ends another.
// breaks: OBJ-0028 timeout
#include "fault.h"

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int TVMFFIObjectDecRef(TVMFFIObjectHandle obj) {
  TVMFFIObject* header = obj;
  if (!obj || header->type_index != kTVMFFIOpaquePyObject || (uint32_t)header->combined_ref_count != 1) {
    return real.TVMFFIObjectDecRef(obj);
  }
  pthread_mutex_lock(&lock);
  int code = real.TVMFFIObjectDecRef(obj);
  pthread_mutex_unlock(&lock);
  return code;
}
