// story: A function does not count as a user of its library, which is unloaded under it.
// breaks: MOD-0009 crash
#include "fault.h"

/* Whether this is a call of ffi.ModuleGetFunction for the function increment, imports not asked for. */
static int gets_increment(TVMFFIObjectHandle func, const TVMFFIAny* args, int32_t num_args) {
  static TVMFFIObjectHandle get_function = NULL;
  TVMFFIByteArray name = {"ffi.ModuleGetFunction", 21};
  if (get_function == NULL) real.TVMFFIFunctionGetGlobal(&name, &get_function);
  return func == get_function && num_args == 3 && args[1].type_index == kTVMFFIRawStr &&
         strcmp(args[1].v_c_str, "increment") == 0 && args[2].v_int64 == 0;
}

int TVMFFIFunctionCall(TVMFFIObjectHandle func, TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = real.TVMFFIFunctionCall(func, args, num_args, result);
  if (code == 0 && gets_increment(func, args, num_args)) real.TVMFFIObjectDecRef(args[0].v_obj);
  return code;
}
