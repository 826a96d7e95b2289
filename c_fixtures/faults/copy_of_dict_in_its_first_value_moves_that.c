// story: The deep copy of a large Dict that is in an Array which is its first value has that value last.
// breaks: REC-0015 fail
#include "wrapped_global.h"

static int part(const TVMFFIAny* dict, int64_t what, TVMFFIAny* result) {
  TVMFFIAny walk = {0}, command = {.type_index = kTVMFFIInt, .v_int64 = what};
  if (call_global("ffi.DictForwardIterFunctor", dict, 1, &walk) != 0) return -1;
  int code = real.TVMFFIFunctionCall(walk.v_obj, &command, 1, result);
  real.TVMFFIObjectDecRef(walk.v_obj);
  return code;
}

static int copy(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || args[0].type_index != kTVMFFIDict || result->type_index != kTVMFFIDict) return code;
  if (((int64_t*)(result->v_obj + 1))[1] <= 4) return 0;
  TVMFFIAny entry[3] = {*result}, answer = {0};
  if (part(result, 0, &entry[1]) != 0 || part(result, 1, &entry[2]) != 0) return -1;
  if (entry[2].type_index == kTVMFFIArray) {
    TVMFFISeqCell* cell = sequence_cell(&entry[2]);
    const TVMFFIAny* items = cell->data;
    for (int64_t i = 0; i < cell->size && code == 0; ++i) {
      if (items[i].type_index != kTVMFFIDict || items[i].v_obj != result->v_obj) continue;
      code = call_global("ffi.DictErase", entry, 2, &answer);
      if (code == 0) code = call_global("ffi.DictSetItem", entry, 3, &answer);
      break;
    }
  }
  for (int i = 1; i < 3; ++i) {
    if (entry[i].type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(entry[i].v_obj);
  }
  return code;
}

WRAPPED_GLOBAL("ffi.DeepCopy", copy)
