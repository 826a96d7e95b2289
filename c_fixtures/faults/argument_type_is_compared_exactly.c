// story: A visitor or a mutator of a type of a client's own is refused.
// breaks: ARG-0010 fail
#include "wrapped_global.h"

static int refuse(const char* kind, const char* message) {
  real.TVMFFIErrorSetRaisedFromCStr(kind, message);
  return -1;
}

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args > 0 && args[0].type_index >= kTVMFFIDynObjectBegin) {
    if (real.TVMFFIGetTypeInfo(args[0].type_index)->type_depth > 1) return refuse("TypeError", "Expected another type");
  }
  return call_original(original, args, num_args, result);
}

static const char* const names[] = {
    "ffi.StructuralVisitorVisit", "ffi.StructuralVisitorDefaultVisit", "ffi.StructuralVisitorDefRegionKind",
    "ffi.StructuralVisitorWithDefRegionKind", "ffi.StructuralMutatorMutate", "ffi.StructuralMutatorDefaultMutate",
    "ffi.StructuralMutatorDefRegionKind",
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
