// story: A function of a module that is not there by its name is looked for once more by the name as a symbol, with its prefix taken off.
// breaks: MOD-0003 fail
#include "wrapped_global.h"

static int get_function(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  static const char prefix[] = "__tvm_ffi_";
  const size_t size = sizeof(prefix) - 1;
  int code = call_original(original, args, num_args, result);
  if (code != 0 || num_args != 3 || result->type_index != kTVMFFINone) return code;
  const TVMFFIByteArray name = text_of(&args[1]);
  if (name.size <= size || memcmp(name.data, prefix, size) != 0) return 0;
  const TVMFFIByteArray rest = {name.data + size, name.size - size};
  TVMFFIAny again[3] = {args[0], {.type_index = kTVMFFINone}, args[2]};
  code = real.TVMFFIStringFromByteArray(&rest, &again[1]);
  if (code != 0) return code;
  code = call_original(original, again, 3, result);
  if (again[1].type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(again[1].v_obj);
  return code;
}

WRAPPED_GLOBAL("ffi.ModuleGetFunction", get_function)
