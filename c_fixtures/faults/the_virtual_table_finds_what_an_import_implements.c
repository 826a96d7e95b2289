// story: The fourth virtual method of the system library's module, ImplementsFunction, looks into the imports too.
// breaks: MOD-0072 fail
#include "virtual_table.h"

#include <stdbool.h>

static bool (*own)(void* self, const TVMFFIAny* name);

static bool implements(void* self, const TVMFFIAny* name) {
  if (own(self, name)) return true;
  TVMFFIAny imports = {.type_index = kTVMFFIArray, .v_obj = *(TVMFFIObject**)((char*)self + 32)};
  const TVMFFISeqCell* cell = sequence_cell(&imports);
  for (int64_t i = 0; i < cell->size; ++i) {
    TVMFFIAny args[3] = {((TVMFFIAny*)cell->data)[i], *name, {.type_index = kTVMFFIBool}}, found = {0};
    if (call_global("ffi.ModuleGetFunction", args, 3, &found) != 0 || found.type_index != kTVMFFIFunction) continue;
    real.TVMFFIObjectDecRef(found.v_obj);
    return true;
  }
  return false;
}

static void change(void** table) {
  memcpy(&own, &table[METHODS + 3], sizeof(own));
  table[METHODS + 3] = (void*)implements;
}

static int system_lib(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0) change_virtual_table(result, change);
  return code;
}

WRAPPED_GLOBAL("ffi.SystemLib", system_lib)
