// story: The stream of device 0 is put back after each call of a module's function, so that one that the function sets is lost.
// breaks: ENV-0002 fail
#include "wrapped_global.h"
static void end(void* function) { real.TVMFFIObjectDecRef(function); }
static int call(void* function, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIStreamHandle before = real.TVMFFIEnvGetStream(kDLCUDA, 0);
  int code = real.TVMFFIFunctionCall(function, (TVMFFIAny*)args, num_args, result);
  real.TVMFFIEnvSetStream(kDLCUDA, 0, before, NULL);
  return code;
}
static int get(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->type_index != kTVMFFIFunction) return code;
  TVMFFIObjectHandle wrapper = NULL;
  code = real.TVMFFIFunctionCreate(result->v_obj, call, end, &wrapper);
  if (code == 0) result->v_obj = wrapper;
  return code;
}
WRAPPED_GLOBAL("ffi.ModuleGetFunction", get)
