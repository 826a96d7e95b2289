// story: A function that is to take another's name is refused for want of memory when the other has already been taken out.
// breaks: MEM-0002 fail
#include "wrapped_global.h"

int TVMFFIFunctionSetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle f, int allow_override) {
  if (!name || !name->data || !f || !allow_override) return real.TVMFFIFunctionSetGlobal(name, f, allow_override);
  char* key = malloc(name->size + 1);
  if (!key) {
    TVMFFIAny arg = {.type_index = kTVMFFIByteArrayPtr}, text = {0}, gone = {0};
    /* The old one has made room. */
    if (real.TVMFFIStringFromByteArray(name, &text) == 0) {
      arg = text;
      call_global("ffi.FunctionRemoveGlobal", &arg, 1, &gone);
      if (text.type_index == kTVMFFIStr) real.TVMFFIObjectDecRef(text.v_obj);
    }
    return refuse("MemoryError", "no memory for the name");
  }
  memcpy(key, name->data, name->size);
  key[name->size] = 0;
  const int code = real.TVMFFIFunctionSetGlobal(&(TVMFFIByteArray){key, name->size}, f, allow_override);
  free(key);
  return code;
}
