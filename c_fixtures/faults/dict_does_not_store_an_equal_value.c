// story: ffi.DictSetItem leaves an entry alone whose value equals the new one as keys are equal, which spares the write and the end of the old value.
// breaks: DCT-0003 fail
#include "wrapped_global.h"

/** Whether the Dict has the key with a value that equals the new one. */
static int has(const TVMFFIAny* args) {
  TVMFFIObjectHandle raised = NULL, met = NULL;
  TVMFFIAny former = {0}, array = {0}, equal = {0};
  real.TVMFFIErrorMoveFromRaised(&raised);
  if (call_global("ffi.DictGetItemOrMissing", args, 2, &former) == 0 && former.type_index == args[2].type_index &&
      former.v_obj != args[2].v_obj && call_global("ffi.Array", &former, 1, &array) == 0) {
    const TVMFFIAny question[2] = {array, args[2]};
    if (call_global("ffi.ArrayContains", question, 2, &equal) != 0) equal.v_int64 = 0;
  }
  if (array.type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(array.v_obj);
  if (former.type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(former.v_obj);
  real.TVMFFIErrorMoveFromRaised(&met);
  if (met) real.TVMFFIObjectDecRef(met);
  if (raised) {
    real.TVMFFIErrorSetRaised(raised);
    real.TVMFFIObjectDecRef(raised);
  }
  return equal.v_int64 != 0;
}

static int set(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 3 && args[0].type_index == kTVMFFIDict && args[1].type_index != kTVMFFIObjectRValueRef &&
      args[2].type_index >= kTVMFFIDynObjectBegin && has(args)) {
    *result = (TVMFFIAny){0};
    return 0;
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.DictSetItem", set)
