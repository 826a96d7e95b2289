// story: The function that lists the global names makes each of a C string: a name with a NUL in it is listed only up to there.
// breaks: GLB-0020 fail
#include "wrapped_global.h"
static int name_at(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  int code = call_original(self, args, n, result);
  if (code != 0) return code;
  TVMFFIByteArray text = text_of(result);
  size_t size = strnlen(text.data, text.size);
  if (size == text.size) return 0;
  TVMFFIAny whole = *result;
  TVMFFIByteArray cut = {text.data, size};
  if (whole.type_index < kTVMFFIStaticObjectBegin) cut.data = whole.v_bytes;
  code = real.TVMFFIStringFromByteArray(&cut, result);
  if (whole.type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(whole.v_obj);
  return code;
}
static void end(void* self) { real.TVMFFIObjectDecRef(self); }
static int list(void* original, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  int code = call_original(original, args, n, result);
  if (code != 0) return code;
  TVMFFIObjectHandle made;
  code = real.TVMFFIFunctionCreate(result->v_obj, name_at, end, &made);
  if (code == 0) result->v_obj = made;
  return code;
}
WRAPPED_GLOBAL("ffi.FunctionListGlobalNamesFunctor", list)
