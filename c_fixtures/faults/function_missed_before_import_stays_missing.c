// story: ffi.ModuleGetFunction remembers the last name that a thread has looked for in a module and its imports in vain, and does not look again when another module was imported.
// breaks: MOD-0020 fail
// chance: A module may have the address of one that has ended.
#include "wrapped_global.h"

static _Thread_local struct { TVMFFIObject* module; char name[64]; size_t size; } missed;

static int get(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 3 || args[0].type_index != kTVMFFIModule || !args[2].v_int64) return call_original(original, args, num_args, result);
  const TVMFFIByteArray name = text_of(&args[1]);
  if (name.size > 0 && missed.module == args[0].v_obj && missed.size == name.size && memcmp(missed.name, name.data, name.size) == 0) return 0;
  int code = call_original(original, args, num_args, result);
  if (code == 0 && result->type_index == kTVMFFINone && name.size <= sizeof(missed.name)) {
    missed.module = args[0].v_obj;
    missed.size = name.size;
    memcpy(missed.name, name.data, name.size);
  }
  return code;
}

WRAPPED_GLOBAL("ffi.ModuleGetFunction", get)
