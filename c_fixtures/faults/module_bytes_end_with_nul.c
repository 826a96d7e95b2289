// story: The loader of an embedded module gets one byte more than the module has: a NUL behind its end.
// breaks: MOD-0056 fail
#include "fault.h"

static int load(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIByteArray bytes;
  TVMFFIAny longer = {0};
  if (num_args != 1) return real.TVMFFIFunctionCall(original, (TVMFFIAny*)args, num_args, result);
  if (args->type_index == kTVMFFIBytes) {
    bytes = *(TVMFFIByteArray*)(args->v_obj + 1);
  } else if (args->type_index == kTVMFFISmallBytes) {
    bytes = (TVMFFIByteArray){args->v_bytes, args->small_str_len};
  } else {
    return real.TVMFFIFunctionCall(original, (TVMFFIAny*)args, num_args, result);
  }
  char* copy = calloc(bytes.size + 1, 1);
  memcpy(copy, bytes.data, bytes.size);
  TVMFFIByteArray more = {copy, bytes.size + 1};
  int code = real.TVMFFIBytesFromByteArray(&more, &longer);
  if (code == 0) code = real.TVMFFIFunctionCall(original, &longer, 1, result);
  if (longer.type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(longer.v_obj);
  free(copy);
  return code;
}

static void end(void* original) { real.TVMFFIObjectDecRef(original); }

int TVMFFIFunctionSetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle func, int allow_override) {
  static const char loaders[] = "ffi.Module.load_from_bytes.";
  size_t size = sizeof(loaders) - 1;
  TVMFFIObjectHandle wrapper;
  if (name->size <= size || memcmp(name->data, loaders, size) != 0)
    return real.TVMFFIFunctionSetGlobal(name, func, allow_override);
  real.TVMFFIObjectIncRef(func);
  int code = real.TVMFFIFunctionCreate(func, load, end, &wrapper);
  if (code != 0) return code;
  code = real.TVMFFIFunctionSetGlobal(name, wrapper, allow_override);
  real.TVMFFIObjectDecRef(wrapper);
  return code;
}
