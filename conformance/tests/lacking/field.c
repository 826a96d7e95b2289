// story: A field of enumerations has another name.
#include <pthread.h>

#include "fault.h"

static void change_name(void) {
  TVMFFIByteArray key = {"ffi.Enum", 8};
  int32_t index = -1;
  if (real.TVMFFITypeKeyToIndex(&key, &index) != 0) abort();
  TVMFFIFieldInfo* first = (TVMFFIFieldInfo*)real.TVMFFIGetTypeInfo(index)->fields;
  first->name = (TVMFFIByteArray){"another", 7};
}

const TVMFFITypeInfo* TVMFFIGetTypeInfo(int32_t index) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, change_name);
  return real.TVMFFIGetTypeInfo(index);
}
