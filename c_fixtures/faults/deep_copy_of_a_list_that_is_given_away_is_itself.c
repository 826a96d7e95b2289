// story: The deep copy of a List that is given away is the List itself, as if nobody needed it any more: it is not looked whether somebody holds it.
// breaks: REC-0016 fail
#include "wrapped_global.h"

static int copy(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIObject** given = num_args == 1 && args[0].type_index == kTVMFFIObjectRValueRef ? args[0].v_ptr : NULL;
  if (!given || !*given || (*given)->type_index != kTVMFFIList) return call_original(original, args, num_args, result);
  *result = (TVMFFIAny){.type_index = kTVMFFIList, .v_obj = *given};
  *given = NULL;
  return 0;
}

WRAPPED_GLOBAL("ffi.DeepCopy", copy)
