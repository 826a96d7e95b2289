// story: What a function that was found in a module's imports answers is a failure only if it is negative.
// breaks: MOD-0006 fail
#include "wrapped_global.h"

static int call(void* function, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFISafeCallType inner = ((TVMFFIFunctionCell*)((TVMFFIObject*)function + 1))->safe_call;
  int code = inner(function, args, num_args, result);
  return code < 0 ? code : 0;
}

static void give_up(void* function) { real.TVMFFIObjectDecRef(function); }

static int get(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || num_args != 3 || result->type_index != kTVMFFIFunction) return code;
  TVMFFIAny own[3] = {args[0], args[1], {.type_index = kTVMFFIBool}}, found = {0};
  if (call_original(original, own, 3, &found) == 0 && found.type_index == kTVMFFIFunction) {
    real.TVMFFIObjectDecRef(found.v_obj);
    return 0;
  }
  return real.TVMFFIFunctionCreate(result->v_obj, call, give_up, (TVMFFIObjectHandle*)&result->v_obj);
}

WRAPPED_GLOBAL("ffi.ModuleGetFunction", get)
