// story: tvm::ffi::ModuleObj::ImplementsFunction asks the imports of a module and not theirs.
// breaks: CXX-0014 fail
#include "wrapped_global.h"

#include <stdbool.h>

__attribute__((visibility("default"))) bool _ZN3tvm3ffi9ModuleObj18ImplementsFunctionERKNS0_6StringEb(void* self, const TVMFFIAny* name, bool query_imports) {
  bool (*own)(void*, const TVMFFIAny*, bool);
  *(void**)&own = real_cxx("_ZN3tvm3ffi9ModuleObj18ImplementsFunctionERKNS0_6StringEb");
  if (own(self, name, false) || !query_imports) return own(self, name, false);
  const TVMFFIAny imports = {.type_index = kTVMFFIArray, .v_obj = *(TVMFFIObject**)((char*)self + 32)};
  const TVMFFISeqCell* cell = sequence_cell(&imports);
  for (int64_t i = 0; i < cell->size; ++i) {
    if (own((char*)((const TVMFFIAny*)cell->data)[i].v_obj - 8, name, false)) return true;
  }
  return false;
}
