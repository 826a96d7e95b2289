// story: While ffi.ListErase runs, its List is borrowed: the end of the element that reads the same List meets an error.
// breaks: CNT-0011 fail
#include "wrapped_global.h"

static __thread void* borrowed;

static int erase(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  void* before = borrowed;
  if (num_args == 2 && args[0].type_index == kTVMFFIList) borrowed = args[0].v_obj;
  int code = call_original(original, args, num_args, result);
  borrowed = before;
  return code;
}

static int read(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args >= 1 && args[0].type_index == kTVMFFIList && args[0].v_obj == borrowed) {
    return refuse("RuntimeError", "already borrowed");
  }
  return call_original(original, args, num_args, result);
}

int TVMFFIFunctionGetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle* out) {
  static TVMFFIObjectHandle wrappers[3];
  int code = real.TVMFFIFunctionGetGlobal(name, out);
  if (code != 0 || *out == NULL) return code;
  if (is(name, "ffi.ListErase")) return wrap_found(&wrappers[0], erase, out);
  if (is(name, "ffi.ListSize")) return wrap_found(&wrappers[1], read, out);
  if (is(name, "ffi.ListGetItem")) return wrap_found(&wrappers[2], read, out);
  return 0;
}
