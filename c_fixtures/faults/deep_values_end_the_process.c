// story: A value of thousands of levels ends the process.
// breaks: REC-0031 crash
// breaks: SEQ-0031 crash
#include "wrapped_global.h"

static int depth(const TVMFFIAny* value) {
  int levels = 0;
  while ((value->type_index == kTVMFFIArray || value->type_index == kTVMFFIList) && sequence_cell(value)->size > 0) {
    value = sequence_cell(value)->data;
    ++levels;
  }
  return levels;
}

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args > 0 && depth(&args[0]) > 5000) {
    fprintf(stderr, "the stack is full\n");
    abort();
  }
  return call_original(original, args, num_args, result);
}

static const char* const names[] = {
    "ffi.RecursiveEq", "ffi.RecursiveHash", "ffi.DeepCopy", "ffi.ReprPrint", "ffi.StructuralEqual",
    "ffi.StructuralHash",
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
