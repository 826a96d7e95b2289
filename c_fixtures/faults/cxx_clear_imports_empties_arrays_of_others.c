// story: The C++ function ModuleObj::ClearImports empties the Array of imports itself, also under those who have read it before.
// breaks: MOD-0044 fail
#include "fault.h"

void _ZN3tvm3ffi9ModuleObj12ClearImportsEv(void* module);

__attribute__((visibility("default"))) void _ZN3tvm3ffi9ModuleObj12ClearImportsEv(void* module) {
  /* Behind the virtual table and the header lie the imports. */
  TVMFFIObject* imports = *(TVMFFIObject**)((char*)module + 8 + 24);
  TVMFFISeqCell* cell = (TVMFFISeqCell*)(imports + 1);
  int64_t size = cell->size;
  real.TVMFFIObjectIncRef(imports);
  ((void (*)(void*))real_cxx("_ZN3tvm3ffi9ModuleObj12ClearImportsEv"))(module);
  if ((uint32_t)__atomic_load_n(&imports->combined_ref_count, __ATOMIC_ACQUIRE) > 1 && cell->size == size) {
    cell->size = 0;
    for (int64_t i = 0; i < size; i++) real.TVMFFIObjectDecRef(((TVMFFIAny*)cell->data)[i].v_obj);
  }
  real.TVMFFIObjectDecRef(imports);
}
