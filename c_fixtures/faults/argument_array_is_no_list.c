// story: Functions that change a List refuse an Array.
// breaks: ARG-0009 fail
#include "wrapped_global.h"

static int refuse(const char* kind, const char* message) {
  real.TVMFFIErrorSetRaisedFromCStr(kind, message);
  return -1;
}

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  for (int32_t i = 0; i < num_args && i < 4; i += 3) {
    if (args[i].type_index == kTVMFFIArray) return refuse("TypeError", "Expected ffi.List but got ffi.Array");
  }
  return call_original(original, args, num_args, result);
}

static const char* const names[] = {
    "ffi.ListAppend", "ffi.ListInsert", "ffi.ListPop", "ffi.ListReplaceSlice", "ffi.ListReverse", "ffi.ListClear",
    "ffi.ListSetItem", "ffi.ListErase", "ffi.ListReserve", "ffi.ListEraseRange",
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
