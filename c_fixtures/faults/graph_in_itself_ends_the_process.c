// story: A JSON graph with nodes that contain themselves ends the process.
// breaks: GRF-0020 crash
#define _GNU_SOURCE /* memmem */
#include "wrapped_global.h"

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIObjectHandle error = NULL;
  int code = call_original(original, args, num_args, result);
  if (code == 0) return 0;
  real.TVMFFIErrorMoveFromRaised(&error);
  const TVMFFIByteArray* message = (TVMFFIByteArray*)((TVMFFIObject*)error + 1) + 1;
  if (memmem(message->data, message->size, "itself", 6) != NULL) {
    fprintf(stderr, "the stack is full\n");
    abort();
  }
  real.TVMFFIErrorSetRaised(error);
  real.TVMFFIObjectDecRef(error);
  return code;
}

static const char* const names[] = {
    "ffi.FromJSONGraph", "ffi.FromJSONGraphString",
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
