// story: A structural visit enters a value that a callback has matched.
// breaks: VIS-0015 fail
#include "wrapped_global.h"

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  /* A walk calls its callbacks without the visitor that those of a visit are given. */
  static TVMFFIObjectHandle walk, make_array;
  const TVMFFIByteArray names[2] = {{"ffi.StructuralWalk", 18}, {"ffi.Array", 9}};
  TVMFFIAny all[4] = {{0}};
  if (num_args != 2) return call_original(original, args, num_args, result);
  if (walk == NULL) {
    real.TVMFFIFunctionGetGlobal(&names[0], &walk);
    real.TVMFFIFunctionGetGlobal(&names[1], &make_array);
  }
  all[0] = args[0];
  all[3] = (TVMFFIAny){.type_index = kTVMFFIInt};
  real.TVMFFIFunctionCall(make_array, NULL, 0, &all[1]);
  all[2] = args[1];
  int code = real.TVMFFIFunctionCall(walk, all, 4, result);
  real.TVMFFIObjectDecRef(all[1].v_obj);
  return code;
}

WRAPPED_GLOBAL("ffi.StructuralVisit", callee)
