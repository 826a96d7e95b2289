// story: The structural hash of a Map whose first two keys are objects of one type depends on which of them was put in first.
// breaks: SEQ-0007 fail
#include "wrapped_global.h"

/* The payload of a key of the map, in the order of iteration; 0 if there is none that is an object. */
static int keys_of(const TVMFFIAny* map, uint64_t keys[2], int32_t types[2]) {
  TVMFFIAny walk = {0}, answer = {0};
  int found = 0;
  if (call_global("ffi.MapForwardIterFunctor", map, 1, &walk) != 0) return 0;
  for (; found < 2; ++found) {
    const TVMFFIAny key = {.type_index = kTVMFFIInt, .v_int64 = 0}, next = {.type_index = kTVMFFIInt, .v_int64 = 2};
    answer = (TVMFFIAny){0};
    if (real.TVMFFIFunctionCall(walk.v_obj, (TVMFFIAny*)&key, 1, &answer) != 0) break;
    keys[found] = (uint64_t)answer.v_int64;
    types[found] = answer.type_index;
    if (answer.type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(answer.v_obj);
    answer = (TVMFFIAny){0};
    if (found == 0 && (real.TVMFFIFunctionCall(walk.v_obj, (TVMFFIAny*)&next, 1, &answer) != 0 || !answer.v_int64)) break;
  }
  real.TVMFFIObjectDecRef(walk.v_obj);
  return found == 2 && types[0] == types[1] && types[0] >= kTVMFFIDynObjectBegin;
}

static int hash(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  uint64_t keys[2];
  int32_t types[2];
  int code = call_original(original, args, num_args, result);
  if (code != 0 || num_args < 1 || args[0].type_index != kTVMFFIMap) return code;
  if (keys_of(&args[0], keys, types) && keys[0] < keys[1]) result->v_int64 ^= 1;
  return code;
}

WRAPPED_GLOBAL("ffi.StructuralHash", hash)
