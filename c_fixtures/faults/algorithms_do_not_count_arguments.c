// story: Functions that compare, hash and walk answer 0 when arguments are missing.
// breaks: REC-0033 fail
// breaks: SEQ-0033 fail
// breaks: VIS-0026 fail
#define _GNU_SOURCE /* memmem */
#include "wrapped_global.h"

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIObjectHandle error = NULL;
  int code = call_original(original, args, num_args, result);
  if (code == 0) return 0;
  real.TVMFFIErrorMoveFromRaised(&error);
  const TVMFFIByteArray* message = (TVMFFIByteArray*)((TVMFFIObject*)error + 1) + 1;
  if (memmem(message->data, message->size, "arguments", 9) == NULL) {
    real.TVMFFIErrorSetRaised(error);
  } else {
    *result = (TVMFFIAny){.type_index = kTVMFFIInt};
    code = 0;
  }
  real.TVMFFIObjectDecRef(error);
  return code;
}

static const char* const names[] = {
    "ffi.RecursiveEq", "ffi.RecursiveHash", "ffi.StructuralEqual", "ffi.StructuralHash", "ffi.StructuralWalk",
    "ffi.StructuralMap",
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
