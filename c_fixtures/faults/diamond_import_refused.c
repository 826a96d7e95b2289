// story: ffi.ModuleImportModule refuses as a circle a module that one of the imports has already imported.
// breaks: MOD-0045 fail
#include "wrapped_global.h"

static int reaches(const TVMFFIObject* from, const TVMFFIObject* module) {
  TVMFFIAny imports = {.type_index = kTVMFFIArray, .v_obj = *(TVMFFIObject**)(from + 1)};
  const TVMFFISeqCell* cell = sequence_cell(&imports);
  for (int64_t i = 0; i < cell->size; i++) {
    const TVMFFIObject* import = ((const TVMFFIAny*)cell->data)[i].v_obj;
    if (import == module || reaches(import, module)) return 1;
  }
  return 0;
}

static int import(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 2 && args[0].type_index == kTVMFFIModule && args[1].type_index == kTVMFFIModule &&
      reaches(args[0].v_obj, args[1].v_obj)) {
    real.TVMFFIErrorSetRaisedFromCStr("RuntimeError", "Cyclic dependency detected during import");
    return -1;
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.ModuleImportModule", import)
