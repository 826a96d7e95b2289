// story: ffi.ModuleGetFunction follows imports for 32 modules at most.
// breaks: MOD-0045 fail
#include "wrapped_global.h"
static int look(void* self, TVMFFIAny* args, TVMFFIAny* result, int depth) {
  args[2] = (TVMFFIAny){.type_index = kTVMFFIBool};
  int code = call_original(self, args, 3, result);
  if (code != 0 || result->type_index != kTVMFFINone || depth == 32) return code;
  TVMFFIAny imports = {.type_index = kTVMFFIArray, .v_obj = *(TVMFFIObject**)((char*)args[0].v_obj + 24)};
  TVMFFISeqCell* cell = sequence_cell(&imports);
  for (int64_t i = 0; i < cell->size; ++i) {
    TVMFFIAny own[3] = {((TVMFFIAny*)cell->data)[i], args[1]};
    code = look(self, own, result, depth + 1);
    if (code != 0 || result->type_index != kTVMFFINone) return code;
  }
  return 0;
}
static int get(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  int code = call_original(self, args, n, result);
  if (code != 0 || n != 3 || result->type_index != kTVMFFIFunction || args[2].v_int64 == 0 || args[0].type_index != kTVMFFIModule) return code;
  TVMFFIAny own[3] = {args[0], args[1]}, other = {0};
  code = look(self, own, &other, 0);
  real.TVMFFIObjectDecRef(result->v_obj);
  *result = other;
  return code;
}
WRAPPED_GLOBAL("ffi.ModuleGetFunction", get)
