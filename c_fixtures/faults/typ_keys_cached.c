// story: ffi.GetRegisteredTypeKeys answers the Array of its first call again, whatever was registered since.
// breaks: TYP-0039 fail
#include "wrapped_global.h"
#include <pthread.h>
static int keys(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static TVMFFIObject* first;
  pthread_mutex_lock(&lock);
  int code = 0;
  if (first && n == 0) *result = (TVMFFIAny){.type_index = kTVMFFIArray, .v_obj = first};
  else code = call_original(self, args, n, result);
  if (code == 0) {
    first = result->v_obj;
    real.TVMFFIObjectIncRef(first);
  }
  pthread_mutex_unlock(&lock);
  return code;
}
WRAPPED_GLOBAL("ffi.GetRegisteredTypeKeys", keys)
