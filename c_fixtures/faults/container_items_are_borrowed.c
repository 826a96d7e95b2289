// story: What is read from a container has no reference of its own.
// breaks: ARR-0011 fail
// breaks: LST-0002 fail
// breaks: MAP-0003 fail
// chance: Freed memory is used.
#include "wrapped_global.h"

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0 && result->type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(result->v_obj);
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
