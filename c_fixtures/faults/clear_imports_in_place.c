// story: ffi.ModuleClearImports empties the Array of imports itself, also under those who have read it before.
// breaks: MOD-0044 fail
#include "wrapped_global.h"

static int clear(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 1 && args[0].type_index == kTVMFFIModule) {
    TVMFFIAny imports = {.type_index = kTVMFFIArray, .v_obj = *(TVMFFIObject**)(args[0].v_obj + 1)};
    TVMFFISeqCell* cell = sequence_cell(&imports);
    int64_t size = cell->size;
    TVMFFIAny* modules = cell->data;
    cell->size = 0;
    for (int64_t i = 0; i < size; i++) real.TVMFFIObjectDecRef(modules[i].v_obj);
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.ModuleClearImports", clear)
