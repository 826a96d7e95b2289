// story: ffi.ModuleImplementsFunction asks a module and those that it imports, but not those that these import in turn, where ffi.ModuleGetFunction finds a function.
// breaks: MOD-0019 fail
#include "wrapped_global.h"
static int implements(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 3 || args[0].type_index != kTVMFFIModule || args[2].type_index > kTVMFFIBool || args[2].v_int64 == 0) return call_original(original, args, num_args, result);
  TVMFFIAny asked[3] = {args[0], args[1], {.type_index = kTVMFFIBool}};
  int code = call_original(original, asked, 3, result);
  if (code != 0 || result->v_int64) return code;
  const TVMFFIObject* imports = *(TVMFFIObject**)(args[0].v_obj + 1);
  const TVMFFISeqCell* cell = (const TVMFFISeqCell*)(imports + 1);
  for (int64_t i = 0; i < cell->size && code == 0 && !result->v_int64; ++i) {
    asked[0] = ((TVMFFIAny*)cell->data)[i];
    code = call_original(original, asked, 3, result);
  }
  return code;
}
WRAPPED_GLOBAL("ffi.ModuleImplementsFunction", implements)
