// story: A function is looked for in the imports of a module first and in the module itself last.
// breaks: MOD-0021 fail
#include "wrapped_global.h"

static int find(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 3 && args[0].type_index == kTVMFFIModule && args[2].type_index == kTVMFFIBool && args[2].v_int64) {
    const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(kTVMFFIModule);
    TVMFFIObject* imports = *(TVMFFIObject**)((char*)args[0].v_obj + info->fields[0].offset);
    TVMFFISeqCell* cell = imports ? (TVMFFISeqCell*)(imports + 1) : NULL;
    for (int64_t at = 0; cell && at < cell->size; at++) {
      TVMFFIAny changed[3] = {((TVMFFIAny*)cell->data)[at], args[1], {.type_index = kTVMFFIBool}};
      int code = call_original(original, changed, 3, result);
      if (code != 0 || result->type_index != kTVMFFINone) return code;
    }
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.ModuleGetFunction", find)
