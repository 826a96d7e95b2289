// story: A container that one thread is reading is refused to every other thread.
// breaks: ARR-0021 fail
// breaks: LST-0034 fail
// breaks: MAP-0031 fail
#include "wrapped_global.h"

#include <unistd.h>

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  static char is_read;
  if (__atomic_exchange_n(&is_read, 1, __ATOMIC_ACQUIRE)) {
    real.TVMFFIErrorSetRaisedFromCStr("RuntimeError", "another thread is reading");
    return -1;
  }
  usleep(10);
  int code = call_original(original, args, num_args, result);
  __atomic_store_n(&is_read, 0, __ATOMIC_RELEASE);
  return code;
}

static const char* const names[] = {
    "ffi.ArrayGetItem", "ffi.ListGetItem", "ffi.MapGetItem",
};

/* Puts a wrapper in the place of each of the functions. */
int TVMFFIFunctionGetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle* out) {
  static TVMFFIObjectHandle wrappers[sizeof(names) / sizeof(names[0])];
  int code = real.TVMFFIFunctionGetGlobal(name, out);
  for (int i = 0; code == 0 && *out != NULL && i < (int)(sizeof(names) / sizeof(names[0])); ++i) {
    if (name->size != strlen(names[i]) || memcmp(name->data, names[i], name->size) != 0) continue;
    if (wrappers[i] == NULL) {
      code = real.TVMFFIFunctionCreate(*out, callee, NULL, &wrappers[i]);
      if (code != 0) return code;
    } else {
      real.TVMFFIObjectDecRef(*out);
    }
    real.TVMFFIObjectIncRef(wrappers[i]);
    *out = wrappers[i];
    break;
  }
  return code;
}
