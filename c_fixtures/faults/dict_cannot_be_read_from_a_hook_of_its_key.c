// story: While ffi.DictSetItem runs, its Dict is borrowed: a key's hook that reads the same Dict meets an error.
// breaks: HOK-0021 fail
#include "wrapped_global.h"

static __thread void* borrowed;

static int set_item(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  void* before = borrowed;
  if (num_args == 3 && args[0].type_index == kTVMFFIDict) borrowed = args[0].v_obj;
  int code = call_original(original, args, num_args, result);
  borrowed = before;
  return code;
}

static int size(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 1 && args[0].type_index == kTVMFFIDict && args[0].v_obj == borrowed) return refuse("RuntimeError", "already borrowed");
  return call_original(original, args, num_args, result);
}

static int get(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 2 && args[0].type_index == kTVMFFIDict && args[0].v_obj == borrowed) return refuse("RuntimeError", "already borrowed");
  return call_original(original, args, num_args, result);
}

int TVMFFIFunctionGetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle* out) {
  static TVMFFIObjectHandle wrappers[5];
  int code = real.TVMFFIFunctionGetGlobal(name, out);
  if (code != 0 || *out == NULL) return code;
  if (is(name, "ffi.DictSetItem")) return wrap_found(&wrappers[0], set_item, out);
  if (is(name, "ffi.DictSize")) return wrap_found(&wrappers[1], size, out);
  if (is(name, "ffi.DictGetItem")) return wrap_found(&wrappers[2], get, out);
  if (is(name, "ffi.DictCount")) return wrap_found(&wrappers[3], get, out);
  if (is(name, "ffi.DictGetItemOrMissing")) return wrap_found(&wrappers[4], get, out);
  return 0;
}
