// story: The library has no ffi.String, ffi.Bytes, ffi.ListReserve, ffi.ModuleGlobalsRemove and ffi.FunctionFromExternC.
// admitted: GLB-0035, REG-0053, REG-0061 and REG-0062 are SHOULDs (broken here).
#include "replaced_globals.h"

static void install(void) {
  static const char* const gone[] = {"ffi.String", "ffi.Bytes", "ffi.ListReserve", "ffi.ModuleGlobalsRemove", "ffi.FunctionFromExternC"};
  for (size_t i = 0; i < sizeof(gone) / sizeof(gone[0]); ++i) {
    const TVMFFIAny name = {.type_index = kTVMFFIRawStr, .v_c_str = gone[i]};
    TVMFFIAny answer = {0};
    call_global("ffi.FunctionRemoveGlobal", &name, 1, &answer);
  }
}
