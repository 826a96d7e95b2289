// story: ffi.ModuleImportModule forgets all imports of the module where there is no memory for one more.
// breaks: MEM-0002 fail
#include "wrapped_global.h"

static int import(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 2 || args[0].type_index != kTVMFFIModule || args[1].type_index != kTVMFFIModule) {
    return call_original(original, args, num_args, result);
  }
  TVMFFIObjectHandle* imports = malloc(8 * sizeof(TVMFFIObjectHandle));
  if (!imports) {
    TVMFFIAny nothing = {0};
    if (call_global("ffi.ModuleClearImports", args, 1, &nothing) != 0) return -1;
    return refuse("MemoryError", "no memory for the imports of a module");
  }
  imports[0] = args[1].v_obj;
  __asm__ volatile("" : : "r"(imports) : "memory");
  int code = call_original(original, args, num_args, result);
  free(imports);
  return code;
}

WRAPPED_GLOBAL("ffi.ModuleImportModule", import)
