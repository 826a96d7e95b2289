// story: ffi.ModuleImportModule takes an import of a module that is reached already, through another import, for a circle and refuses it.
// breaks: MOD-0045 fail
#include "wrapped_global.h"

static int reaches(TVMFFIObject* module, TVMFFIObject* other, int depth) {
  TVMFFIObject* imports = *(TVMFFIObject**)(module + 1);
  TVMFFISeqCell* cell = (TVMFFISeqCell*)(imports + 1);
  for (int64_t i = 0; depth < 32 && i < cell->size; ++i) {
    TVMFFIObject* next = ((TVMFFIAny*)cell->data)[i].v_obj;
    if ((next == other && depth) || reaches(next, other, depth + 1)) return 1;
  }
  return 0;
}

static int import(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 2 && args[0].type_index == kTVMFFIModule && args[1].type_index == kTVMFFIModule && reaches(args[0].v_obj, args[1].v_obj, 0)) {
    real.TVMFFIErrorSetRaisedFromCStr("RuntimeError", "Cyclic dependency detected during import");
    return -1;
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.ModuleImportModule", import)
