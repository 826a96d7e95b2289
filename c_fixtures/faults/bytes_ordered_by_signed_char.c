// story: The recursive order compares Bytes as arrays of char, which is signed here: 0x80 and above come before 0x00.
// breaks: REC-0007 fail
#include "wrapped_global.h"

static int are_bytes(const TVMFFIAny* args, int32_t num_args) {
  for (int i = 0; i < 2; ++i) {
    if (num_args != 2 || (args[i].type_index != kTVMFFIBytes && args[i].type_index != kTVMFFISmallBytes)) return 0;
  }
  return 1;
}

static int order(const TVMFFIAny* args) {
  TVMFFIByteArray all[2];
  for (int i = 0; i < 2; ++i) {
    if (args[i].type_index == kTVMFFISmallBytes) all[i] = (TVMFFIByteArray){args[i].v_bytes, args[i].small_str_len};
    else all[i] = *(const TVMFFIByteArray*)(args[i].v_obj + 1);
  }
  for (size_t i = 0; i < all[0].size && i < all[1].size; ++i) {
    const signed char left = (signed char)all[0].data[i], right = (signed char)all[1].data[i];
    if (left != right) return left < right ? -1 : 1;
  }
  return all[0].size == all[1].size ? 0 : all[0].size < all[1].size ? -1 : 1;
}

#define ORDERED(NAME, TEST)                                                                            \
  static int NAME(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {        \
    if (!are_bytes(args, num_args)) return call_original(original, args, num_args, result);            \
    *result = (TVMFFIAny){.type_index = kTVMFFIBool, .v_int64 = order(args) TEST};                     \
    return 0;                                                                                          \
  }
ORDERED(lt, < 0)
ORDERED(le, <= 0)
ORDERED(gt, > 0)
ORDERED(ge, >= 0)

int TVMFFIFunctionGetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle* out) {
  static TVMFFIObjectHandle wrappers[4];
  int code = real.TVMFFIFunctionGetGlobal(name, out);
  if (code != 0 || *out == NULL) return code;
  if (is(name, "ffi.RecursiveLt")) return wrap_found(&wrappers[0], lt, out);
  if (is(name, "ffi.RecursiveLe")) return wrap_found(&wrappers[1], le, out);
  if (is(name, "ffi.RecursiveGt")) return wrap_found(&wrappers[2], gt, out);
  if (is(name, "ffi.RecursiveGe")) return wrap_found(&wrappers[3], ge, out);
  return 0;
}
