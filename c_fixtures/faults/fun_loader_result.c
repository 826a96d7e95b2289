// story: ffi.ModuleLoadFromFile calls the loader with a result that still holds the String of the loader's name.
// breaks: MOD-0014 fail
#define _GNU_SOURCE
#include "wrapped_global.h"
static int load(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  TVMFFIByteArray path = n == 1 ? text_of(&args[0]) : (TVMFFIByteArray){"", 0};
  const char* dot = path.size ? memrchr(path.data, '.', path.size) : NULL;
  if (!dot) return call_original(self, args, n, result);
  size_t size = path.size - (size_t)(dot + 1 - path.data);
  char name[256];
  if (size > 100) return call_original(self, args, n, result);
  TVMFFIByteArray key = {name, (size_t)sprintf(name, "ffi.Module.load_from_file.%.*s", (int)size, dot + 1)};
  TVMFFIObjectHandle loader = NULL;
  if (real.TVMFFIFunctionGetGlobal(&key, &loader) != 0) return -1;
  if (!loader) return call_original(self, args, n, result);
  TVMFFIAny own[2] = {args[0]}, answer = {0};
  TVMFFIByteArray ext = {dot + 1, size};
  int code = real.TVMFFIStringFromByteArray(&ext, &own[1]);
  if (code == 0) code = real.TVMFFIStringFromByteArray(&key, &answer);
  TVMFFIObject* held = answer.v_obj;
  if (code == 0) code = ((TVMFFIFunctionCell*)((TVMFFIObject*)loader + 1))->safe_call(loader, own, 2, &answer);
  if (code == 0 && answer.type_index == kTVMFFIModule) *result = answer;
  else if (code == 0) code = refuse("TypeError", "The loader has answered no module.");
  real.TVMFFIObjectDecRef(held);
  if (own[1].type_index >= 64) real.TVMFFIObjectDecRef(own[1].v_obj);
  real.TVMFFIObjectDecRef(loader);
  return code;
}
WRAPPED_GLOBAL("ffi.ModuleLoadFromFile", load)
