// story: ffi.ModuleImplementsFunction looks into a module and its imports, but not into theirs, where ffi.ModuleGetFunction finds the function.
// breaks: MOD-0064 fail
#include "wrapped_global.h"

static int found_in(TVMFFIObject* module, const TVMFFIAny* name) {
  TVMFFIAny args[3] = {{.type_index = kTVMFFIModule}, *name, {.type_index = kTVMFFIBool}}, function = {0};
  args[0].v_obj = module;
  if (call_global("ffi.ModuleGetFunction", args, 3, &function) != 0) return 0;
  if (function.type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(function.v_obj);
  return function.type_index == kTVMFFIFunction;
}

static int implements(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || !result->v_int64 || !args[2].v_int64 || found_in(args[0].v_obj, &args[1])) return code;
  const TVMFFISeqCell* cell = (TVMFFISeqCell*)(*(TVMFFIObject**)(args[0].v_obj + 1) + 1);
  for (int64_t i = 0; i < cell->size; ++i) {
    if (found_in(((TVMFFIAny*)cell->data)[i].v_obj, &args[1])) return 0;
  }
  result->v_int64 = 0;
  return 0;
}

WRAPPED_GLOBAL("ffi.ModuleImplementsFunction", implements)
