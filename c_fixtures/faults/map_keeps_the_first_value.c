// story: A key that is given again keeps the value that came first.
// breaks: MAP-0008 fail
// breaks: DCT-0001 fail
#include "wrapped_global.h"

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny first[256];
  if (num_args > 256) return call_original(original, args, num_args, result);
  for (int32_t i = 0; i < num_args; ++i) first[i] = args[i];
  for (int32_t i = 2; i + 1 < num_args; i += 2) {
    for (int32_t j = 0; j < i; j += 2) {
      if (memcmp(&args[i], &args[j], sizeof(TVMFFIAny)) == 0) first[i + 1] = first[j + 1];
    }
  }
  return call_original(original, first, num_args, result);
}

static const char* const names[] = {
    "ffi.Map", "ffi.Dict",
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
