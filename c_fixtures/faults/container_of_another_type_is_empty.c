// story: What is no container is one of nothing: its size is 0.
// breaks: ARR-0015 fail
// breaks: LST-0025 fail
// breaks: MAP-0025 fail
#include "wrapped_global.h"

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 1 && args[0].type_index < kTVMFFIArray) {
    *result = (TVMFFIAny){.type_index = kTVMFFIInt};
    return 0;
  }
  return call_original(original, args, num_args, result);
}

static const char* const names[] = {
    "ffi.ArraySize", "ffi.ListSize", "ffi.MapSize", "ffi.DictSize",
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
