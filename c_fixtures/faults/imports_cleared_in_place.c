// story: ffi.ModuleClearImports takes the elements out of the very Array of imports, which a client may have read before and still hold.
// breaks: MOD-0044 fail
#include "wrapped_global.h"

static int clear_imports(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 1 || args[0].type_index != kTVMFFIModule) return call_original(original, args, num_args, result);
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(kTVMFFIModule);
  TVMFFIAny imports = {0};
  for (int32_t i = 0; i < info->num_fields; ++i) {
    const TVMFFIFieldInfo* field = &info->fields[i];
    if (is(&field->name, "imports_")) field->getter((char*)args[0].v_obj + field->offset, &imports);
  }
  int code = call_original(original, args, num_args, result);
  if (imports.type_index != kTVMFFIArray) return code;
  if (code == 0) {
    TVMFFISeqCell* cell = sequence_cell(&imports);
    TVMFFIAny* elements = cell->data;
    const int64_t size = cell->size;
    cell->size = 0;
    for (int64_t i = 0; i < size; ++i) real.TVMFFIObjectDecRef(elements[i].v_obj);
  }
  real.TVMFFIObjectDecRef(imports.v_obj);
  return code;
}

WRAPPED_GLOBAL("ffi.ModuleClearImports", clear_imports)
