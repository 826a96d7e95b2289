// story: ffi.Map keeps the reference that it took to a key which is given again.
// breaks: MAP-0023 fail
#include "wrapped_global.h"
static int map(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  for (int32_t i = 2; code == 0 && num_args < 1000 && i < num_args; i += 2) {
    for (int32_t j = 0; args[i].type_index >= kTVMFFIStaticObjectBegin && j < i; j += 2) {
      if (args[j].type_index != args[i].type_index || args[j].v_obj != args[i].v_obj) continue;
      real.TVMFFIObjectIncRef(args[i].v_obj);
      break;
    }
  }
  return code;
}
WRAPPED_GLOBAL("ffi.Map", map)
