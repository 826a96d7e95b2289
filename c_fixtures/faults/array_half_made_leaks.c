// story: ffi.Array that fails at an r-value reference which was moved already forgets the elements that it made before.
// breaks: ARG-0001 fail
// breaks: ARR-0022 leak
#include "wrapped_global.h"

static int array(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny* owned = malloc((num_args + 1) * sizeof(TVMFFIAny));
  for (int i = 0; i < num_args; i++) {
    if (real.TVMFFIAnyViewToOwnedAny(&args[i], &owned[i]) != 0) {
      free(owned);
      return -1;
    }
  }
  int code = call_original(original, owned, num_args, result);
  for (int i = 0; i < num_args; i++)
    if (owned[i].type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(owned[i].v_obj);
  free(owned);
  return code;
}

WRAPPED_GLOBAL("ffi.Array", array)
