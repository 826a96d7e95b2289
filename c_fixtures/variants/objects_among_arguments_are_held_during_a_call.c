// story: TVMFFIFunctionCall takes a reference to the function and to each object among the arguments while the call runs, and gives them up before it returns.
// admitted: FUN-0015 and FUN-0016: a call "leaves" the counts "as they were", and it does, whatever the callee answers; no sentence says what the counts are while it runs. R-value references are not touched.
#include "fault.h"

int TVMFFIFunctionCall(TVMFFIObjectHandle func, TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (!func) return real.TVMFFIFunctionCall(func, args, num_args, result);
  enum { AT_ONCE = 16 };
  TVMFFIObjectHandle held[AT_ONCE];
  int32_t count = 0;
  real.TVMFFIObjectIncRef(func);
  for (int32_t i = 0; args && i < num_args && count < AT_ONCE; ++i) {
    if (args[i].type_index < kTVMFFIStaticObjectBegin || !args[i].v_obj) continue;
    real.TVMFFIObjectIncRef(args[i].v_obj);
    held[count++] = args[i].v_obj;
  }
  int code = real.TVMFFIFunctionCall(func, args, num_args, result);
  while (count > 0) real.TVMFFIObjectDecRef(held[--count]);
  real.TVMFFIObjectDecRef(func);
  return code;
}
