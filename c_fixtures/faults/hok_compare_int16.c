// story: ffi.RecursiveLt and its three relatives keep 16 bits of what a function in __ffi_compare__ answers.
// breaks: HOK-0005 fail
#include "wrapped_global.h"
static int parts(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  TVMFFIAny less = {0}, more = {0};
  int code = call_global("ffi.RecursiveLt", args, 2, &less);
  if (code == 0) code = call_global("ffi.RecursiveGt", args, 2, &more);
  if (code == 0) *result = (TVMFFIAny){.type_index = kTVMFFIInt, .v_int64 = more.v_int64 - less.v_int64};
  return code;
}
static int order(int which, void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  TVMFFIByteArray name = {"__ffi_compare__", 15};
  const TVMFFITypeAttrColumn* column = real.TVMFFIGetTypeAttrColumn(&name);
  if (n != 2 || args[0].type_index < kTVMFFIDynObjectBegin || args[1].type_index != args[0].type_index || !column || args[0].type_index >= column->size || column->data[args[0].type_index].type_index != kTVMFFIFunction || args[0].v_obj == args[1].v_obj) return call_original(self, args, n, result);
  TVMFFIObjectHandle f;
  if (real.TVMFFIFunctionCreate(NULL, parts, NULL, &f)) return -1;
  TVMFFIAny own[3] = {args[0], args[1], {.type_index = kTVMFFIFunction, .v_obj = f}}, answer = {0};
  int code = call_original(column->data[args[0].type_index].v_obj, own, 3, &answer);
  real.TVMFFIObjectDecRef(f);
  int16_t sign = (int16_t)answer.v_int64;
  if (code != 0 || answer.type_index != kTVMFFIInt || (sign == 0) == (answer.v_int64 == 0)) return call_original(self, args, n, result);
  *result = (TVMFFIAny){.type_index = kTVMFFIBool, .v_int64 = which == 1 || which == 3};
  return 0;
}
static int lt(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) { return order(0, self, args, n, result); }
static int le(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) { return order(1, self, args, n, result); }
static int gt(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) { return order(2, self, args, n, result); }
static int ge(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) { return order(3, self, args, n, result); }
int TVMFFIFunctionGetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle* out) {
  static TVMFFIObjectHandle wrappers[4];
  static const char* const names[] = {"ffi.RecursiveLt", "ffi.RecursiveLe", "ffi.RecursiveGt", "ffi.RecursiveGe"};
  static const TVMFFISafeCallType callees[] = {lt, le, gt, ge};
  int code = real.TVMFFIFunctionGetGlobal(name, out);
  if (code != 0 || *out == NULL) return code;
  for (int i = 0; i < 4; ++i)
    if (is(name, names[i])) return wrap_found(&wrappers[i], callees[i], out);
  return 0;
}
