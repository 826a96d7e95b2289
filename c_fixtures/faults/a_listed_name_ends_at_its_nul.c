// story: The function that lists the global names answers them as C strings: a name is cut at a NUL, by which it is not found.
// breaks: GLB-0020 fail
#include "wrapped_global.h"
static void end(void* function) { real.TVMFFIObjectDecRef(function); }
static int name_at(void* function, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(function, args, num_args, result);
  const TVMFFIAny whole = *result;
  const TVMFFIByteArray text = code == 0 ? text_of(&whole) : (TVMFFIByteArray){"", 0};
  const TVMFFIByteArray cut = {text.data, strnlen(text.data, text.size)};
  if (cut.size == text.size) return code;
  code = real.TVMFFIStringFromByteArray(&cut, result);
  if (whole.type_index == kTVMFFIStr) real.TVMFFIObjectDecRef(whole.v_obj);
  return code;
}
static int list(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  TVMFFIObjectHandle wrapper = NULL;
  if (code != 0 || result->type_index != kTVMFFIFunction) return code;
  if (real.TVMFFIFunctionCreate(result->v_obj, name_at, end, &wrapper) == 0) result->v_obj = wrapper;
  return 0;
}
WRAPPED_GLOBAL("ffi.FunctionListGlobalNamesFunctor", list)
