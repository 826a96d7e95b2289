// story: ffi.ModuleClearImports also gives up the functions that TVMFFIEnvModLookupFromImports has answered for the module.
// breaks: MOD-0046 fail
#include "wrapped_global.h"
static int clear(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || num_args != 1 || args[0].type_index != kTVMFFIModule) return code;
  TVMFFIObject** cache = (TVMFFIObject**)((char*)args[0].v_obj + 32);
  TVMFFIAny empty = {0};
  if (!*cache || (*cache)->type_index != kTVMFFIMap || call_global("ffi.Map", NULL, 0, &empty) != 0) return 0;
  TVMFFIObject* old = *cache;
  *cache = empty.v_obj;
  real.TVMFFIObjectDecRef(old);
  return 0;
}
WRAPPED_GLOBAL("ffi.ModuleClearImports", clear)
