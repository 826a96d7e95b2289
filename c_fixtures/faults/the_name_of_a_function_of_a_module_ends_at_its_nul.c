// story: ffi.ModuleGetFunction and ffi.ModuleImplementsFunction hand the name on as a C string: what follows a NUL in it does not count.
// breaks: MOD-0064 fail
// breaks: MOD-0088 fail
#include "wrapped_global.h"
static int get(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const TVMFFIByteArray name = num_args == 3 ? text_of(&args[1]) : (TVMFFIByteArray){"", 0};
  const size_t length = strnlen(name.data, name.size);
  if (length == name.size) return call_original(original, args, num_args, result);
  const TVMFFIByteArray cut = {name.data, length};
  TVMFFIAny given[3] = {args[0], {0}, args[2]};
  int code = real.TVMFFIStringFromByteArray(&cut, &given[1]);
  if (code == 0) code = call_original(original, given, 3, result);
  if (given[1].type_index == kTVMFFIStr) real.TVMFFIObjectDecRef(given[1].v_obj);
  return code;
}
WRAPPED_GLOBALS(get, "ffi.ModuleGetFunction", "ffi.ModuleImplementsFunction")
