// story: The function that lists the global names gives them in the opposite order, the newest first.
// admitted: GLB-0020: the number of names for -1 and a name for each index below it, each once; no sentence promises an order.
#include "replaced_globals.h"

static int name_at(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (is_no_call(args, num_args, result)) return call_original(original, args, num_args, result);
  if (num_args != 1 || args[0].type_index != kTVMFFIInt || args[0].v_int64 < 0) return call_original(original, args, num_args, result);
  TVMFFIAny all = {.type_index = kTVMFFIInt, .v_int64 = -1}, count = {0};
  int code = call_original(original, &all, 1, &count);
  if (code != 0) return code;
  TVMFFIAny index = args[0];
  if (index.v_int64 < count.v_int64) index.v_int64 = count.v_int64 - 1 - index.v_int64;
  return call_original(original, &index, 1, result);
}

static void end_listing(void* original) { real.TVMFFIObjectDecRef(original); }

static int list(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny forwards = {0};
  int code = call_original(original, args, num_args, &forwards);
  if (code != 0) return code;
  TVMFFIObjectHandle backwards = NULL;
  code = real.TVMFFIFunctionCreate(forwards.v_obj, name_at, end_listing, &backwards);
  if (code != 0) {
    give_up(&forwards);
    return code;
  }
  *result = (TVMFFIAny){.type_index = kTVMFFIFunction, .v_obj = backwards};
  return 0;
}

static void install(void) { put("ffi.FunctionListGlobalNamesFunctor", list); }
