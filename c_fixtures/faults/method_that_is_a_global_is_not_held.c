// story: The function of a method that is a global function, too, is left to the table of these: the method holds no reference, and dangles when the global function is removed.
// breaks: RFL-0015 fail
// chance: The method dangles when the global function is removed: freed memory is used.
#include "wrapped_global.h"

static int is_global(TVMFFIObjectHandle function) {
  TVMFFIAny names = {0}, count = {0}, place = {.type_index = kTVMFFIInt, .v_int64 = -1};
  int found = 0;
  if (call_global("ffi.FunctionListGlobalNamesFunctor", NULL, 0, &names) != 0) return 0;
  if (real.TVMFFIFunctionCall(names.v_obj, &place, 1, &count) != 0) count.v_int64 = 0;
  for (int64_t i = 0; i < count.v_int64 && !found; ++i) {
    TVMFFIAny name = {0};
    place.v_int64 = i;
    if (real.TVMFFIFunctionCall(names.v_obj, &place, 1, &name) != 0) break;
    TVMFFIByteArray text = text_of(&name);
    TVMFFIObjectHandle other = NULL;
    if (real.TVMFFIFunctionGetGlobal(&text, &other) == 0 && other) {
      found = other == function;
      real.TVMFFIObjectDecRef(other);
    }
    if (name.type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(name.v_obj);
  }
  real.TVMFFIObjectDecRef(names.v_obj);
  return found;
}

int TVMFFITypeRegisterMethod(int32_t type_index, const TVMFFIMethodInfo* method) {
  int code = real.TVMFFITypeRegisterMethod(type_index, method);
  if (code == 0 && method->method.type_index == kTVMFFIFunction && is_global(method->method.v_obj)) {
    real.TVMFFIObjectDecRef(method->method.v_obj);
  }
  return code;
}
