// story: A loader that a library registers while it is being loaded is not taken.
// breaks: MOD-0084 fail
#include "wrapped_global.h"

static _Thread_local int loading;

static int load(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  ++loading;
  int code = call_original(original, args, num_args, result);
  --loading;
  return code;
}

WRAPPED_GLOBAL("ffi.Module.load_from_file.so", load)

int TVMFFIFunctionSetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle func, int allow_override) {
  static const char loaders[] = "ffi.Module.load_from_bytes.";
  size_t size = sizeof(loaders) - 1;
  if (loading && name->size > size && memcmp(name->data, loaders, size) == 0) return 0;
  return real.TVMFFIFunctionSetGlobal(name, func, allow_override);
}
