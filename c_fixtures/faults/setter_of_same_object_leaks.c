// story: The setter that ffi.MakeFieldSetter makes returns at once when the field holds the object already, and forgets the reference that the converter has given it.
// breaks: DCL-0021 fail
#include "wrapped_global.h"
static void end(void* self) { real.TVMFFIObjectDecRef(self); }
static int set(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  TVMFFIObject** field = n == 2 && args[0].type_index == kTVMFFIOpaquePtr ? args[0].v_ptr : NULL;
  TVMFFIObject* before = field ? *field : NULL;
  int code = call_original(self, args, n, result);
  if (code == 0 && before && *field == before) real.TVMFFIObjectIncRef(before);
  return code;
}
static int make(void* original, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  int code = call_original(original, args, n, result);
  TVMFFIObjectHandle wrapper = NULL;
  if (code == 0 && args[0].v_int64 >= kTVMFFIStaticObjectBegin && real.TVMFFIFunctionCreate(result->v_obj, set, end, &wrapper) == 0) result->v_obj = wrapper;
  return code;
}
WRAPPED_GLOBAL("ffi.MakeFieldSetter", make)
