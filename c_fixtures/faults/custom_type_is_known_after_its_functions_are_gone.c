// story: The last custom data type that was read is cached with its code, and goes on to be read when dtype.get_custom_type_code is not registered any more.
// breaks: DTY-0028 fail
#include "fault.h"

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char last[128];
static size_t size;
static DLDataType type;

int TVMFFIDataTypeFromString(const TVMFFIByteArray* str, DLDataType* out) {
  int is_custom = str && str->data && str->size >= 8 && str->size <= sizeof last && !memcmp(str->data, "custom[", 7);
  if (!is_custom) return real.TVMFFIDataTypeFromString(str, out);
  pthread_mutex_lock(&lock);
  int hit = str->size == size && !memcmp(str->data, last, size);
  if (hit) *out = type;
  pthread_mutex_unlock(&lock);
  if (hit) return 0;
  int status = real.TVMFFIDataTypeFromString(str, out);
  if (status == 0) {
    pthread_mutex_lock(&lock);
    memcpy(last, str->data, size = str->size);
    type = *out;
    pthread_mutex_unlock(&lock);
  }
  return status;
}
