// story: ffi.StructuralKey of a value whose structural hash fails answers a key with the hash 0 and forgets the error.
// breaks: SEQ-0012 fail
#include "wrapped_global.h"

static int key(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0 || num_args != 1 || args[0].type_index < kTVMFFIStaticObjectBegin) return code;
  TVMFFIObjectHandle raised = NULL;
  real.TVMFFIErrorMoveFromRaised(&raised);
  if (raised) real.TVMFFIObjectDecRef(raised);
  TVMFFIAny zero = {.type_index = kTVMFFIInt}, made = {0};
  if (call_original(original, &zero, 1, &made) != 0) return -1;
  TVMFFIAny* field = (TVMFFIAny*)(made.v_obj + 1);
  real.TVMFFIAnyViewToOwnedAny(&args[0], field);
  ((int64_t*)made.v_obj)[5] = 0;
  *result = made;
  return 0;
}

WRAPPED_GLOBAL("ffi.StructuralKey", key)
