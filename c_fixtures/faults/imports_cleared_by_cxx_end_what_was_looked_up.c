// story: The C++ function ModuleObj::ClearImports gives up the functions that were looked up from imports as well, which their callers hold borrowed.
// breaks: MOD-0046 fail
#include "wrapped_global.h"

void _ZN3tvm3ffi9ModuleObj12ClearImportsEv(void* module);

__attribute__((visibility("default"))) void _ZN3tvm3ffi9ModuleObj12ClearImportsEv(void* module) {
  ((void (*)(void*))real_cxx("_ZN3tvm3ffi9ModuleObj12ClearImportsEv"))(module);
  /* Behind the virtual table and the header lie the imports and, after them, the functions that were found. */
  TVMFFIObject** found = (TVMFFIObject**)((char*)module + 8 + 32);
  TVMFFIAny none = {0};
  if (call_global("ffi.Map", NULL, 0, &none) != 0) return;
  TVMFFIObject* old = *found;
  *found = none.v_obj;
  if (old) real.TVMFFIObjectDecRef(old);
}

