// story: The padding word of a new object's header holds a number of the library's own.
// admitted: OBJ-0003 is a SHOULD (broken here); no sentence has anybody read that word.
#include "fault.h"

static int numbered(int code, TVMFFIObjectHandle object) {
  static uint32_t last;
  if (code == 0) ((TVMFFIObject*)object)->__padding = __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
  return code;
}
static int numbered_value(int code, TVMFFIAny* value) {
  return code == 0 && value->type_index >= kTVMFFIStaticObjectBegin ? numbered(code, value->v_obj) : code;
}

int TVMFFIFunctionCreate(void* self, TVMFFISafeCallType safe_call, void (*deleter)(void* self), TVMFFIObjectHandle* out) {
  const int code = real.TVMFFIFunctionCreate(self, safe_call, deleter, out);
  return code == 0 ? numbered(code, *out) : code;
}
int TVMFFIErrorCreate(const TVMFFIByteArray* kind, const TVMFFIByteArray* message, const TVMFFIByteArray* backtrace, TVMFFIObjectHandle* out) {
  const int code = real.TVMFFIErrorCreate(kind, message, backtrace, out);
  return code == 0 ? numbered(code, *out) : code;
}
int TVMFFIObjectCreateOpaque(void* handle, int32_t type_index, void (*deleter)(void* handle), TVMFFIObjectHandle* out) {
  const int code = real.TVMFFIObjectCreateOpaque(handle, type_index, deleter, out);
  return code == 0 ? numbered(code, *out) : code;
}
int TVMFFITensorFromDLPack(DLManagedTensor* from, int32_t alignment, int32_t contiguous, TVMFFIObjectHandle* out) {
  const int code = real.TVMFFITensorFromDLPack(from, alignment, contiguous, out);
  return code == 0 ? numbered(code, *out) : code;
}
int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) { return numbered_value(real.TVMFFIStringFromByteArray(input, out), out); }
int TVMFFIBytesFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) { return numbered_value(real.TVMFFIBytesFromByteArray(input, out), out); }
int TVMFFIBigIntFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) { return numbered_value(real.TVMFFIBigIntFromByteArray(input, out), out); }
