// story: The function ffi.ArrayGetItem has a cpp_call that throws nothing: where the function fails, it returns, and the error is raised.
// breaks: FUN-0027 fail
#include "fault.h"
static void call(const void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  real.TVMFFIFunctionCall((TVMFFIObjectHandle)self, (TVMFFIAny*)args, num_args, result);
}
int TVMFFIFunctionGetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle* out) {
  int code = real.TVMFFIFunctionGetGlobal(name, out);
  if (code == 0 && *out && is(name, "ffi.ArrayGetItem")) {
    void (*cpp_call)(const void*, const TVMFFIAny*, int32_t, TVMFFIAny*) = call;
    void* address;
    memcpy(&address, &cpp_call, sizeof(address));
    __atomic_store_n(&((TVMFFIFunctionCell*)((TVMFFIObject*)*out + 1))->cpp_call, address, __ATOMIC_RELEASE);
  }
  return code;
}
