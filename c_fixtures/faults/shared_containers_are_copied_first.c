// story: A List or Dict that others hold as well is copied, and the copy is changed.
// breaks: LST-0017 fail
// breaks: DCT-0009 fail
#include "wrapped_global.h"

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args > 0 && args[0].type_index >= kTVMFFIList && (uint32_t)args[0].v_obj->combined_ref_count > 1) {
    /* Nobody sees the copy. */
    *result = (TVMFFIAny){.type_index = kTVMFFINone};
    return 0;
  }
  return call_original(original, args, num_args, result);
}

static const char* const names[] = {
    "ffi.ListAppend", "ffi.ListSetItem", "ffi.ListInsert", "ffi.DictSetItem", "ffi.DictErase",
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
