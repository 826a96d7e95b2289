// story: ffi.ModuleImplementsFunction asks the module and those that it imports, not those that these import, where ffi.ModuleGetFunction finds the function.
// breaks: MOD-0019 fail
#include "changed_record.h"
#include "wrapped_global.h"
static int own(void* original, const TVMFFIAny* module, const TVMFFIAny* name) {
  const TVMFFIAny args[3] = {*module, *name, {.type_index = kTVMFFIBool}};
  TVMFFIAny found = {0};
  return call_original(original, args, 3, &found) == 0 && found.v_int64;
}
static int implements(void* original, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  int code = call_original(original, args, n, result);
  if (code != 0 || !result->v_int64 || own(original, &args[0], &args[1])) return code;
  TVMFFIAny imports = {.type_index = kTVMFFIArray, .v_obj = *(TVMFFIObject**)(args[0].v_obj + 1)};
  const TVMFFIAny* item = sequence_cell(&imports)->data;
  int found = 0;
  for (int64_t i = 0; i < sequence_cell(&imports)->size; ++i) found |= own(original, &item[i], &args[1]);
  result->v_int64 = found;
  return 0;
}
WRAPPED_GLOBAL("ffi.ModuleImplementsFunction", implements)
