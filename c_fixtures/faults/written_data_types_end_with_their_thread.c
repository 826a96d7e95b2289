// story: The text of a data type is kept in memory of the thread that has written it, and is spoilt when that thread ends, whoever holds the String then.
// breaks: OBJ-0034 fail
#include "fault.h"
#include <pthread.h>

static pthread_key_t key;

/* Whatever is written in its place. */
static void spoil(void* text) {
  const TVMFFIByteArray* cell = (const TVMFFIByteArray*)((TVMFFIObject*)text + 1);
  memset((char*)cell->data, '?', cell->size);
  real.TVMFFIObjectDecRef(text);
}

__attribute__((constructor)) static void make_key(void) { pthread_key_create(&key, spoil); }

int TVMFFIDataTypeToString(const DLDataType* dtype, TVMFFIAny* out) {
  int code = real.TVMFFIDataTypeToString(dtype, out);
  if (code == 0 && out->type_index == kTVMFFIStr && ((TVMFFIByteArray*)(out->v_obj + 1))->size > 0) {
    void* before = pthread_getspecific(key);
    /* The first one of a thread stays in its place. */
    if (!before) {
      real.TVMFFIObjectIncRef(out->v_obj);
      pthread_setspecific(key, out->v_obj);
    }
  }
  return code;
}
