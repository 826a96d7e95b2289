// story: The initialiser of ffi.EnumState has one Dict of attributes as its default, which every state after the first is given, too.
// breaks: INS-0017 fail
#include "patched_entry.h"

static TVMFFIObject* first_attrs;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int init(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->type_index < kTVMFFIDynObjectBegin) return code;
  TVMFFIObject** attrs = (TVMFFIObject**)((char*)result->v_obj + 40);
  pthread_mutex_lock(&lock);
  if (first_attrs == NULL) {
    first_attrs = *attrs;
    real.TVMFFIObjectIncRef(first_attrs);
  } else {
    real.TVMFFIObjectDecRef(*attrs);
    real.TVMFFIObjectIncRef(first_attrs);
    *attrs = first_attrs;
  }
  pthread_mutex_unlock(&lock);
  return code;
}

PATCHED_ENTRY("__ffi_init__", "ffi.EnumState", init)
