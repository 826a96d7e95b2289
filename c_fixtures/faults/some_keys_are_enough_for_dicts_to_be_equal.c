// story: Recursive equality asks for each key of the first Dict in the second, and compares no sizes.
// breaks: REC-0036 fail
#include "wrapped_global.h"
#include "map_cell.h"

static int equal(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || num_args != 2 || args[0].type_index != kTVMFFIDict || args[1].type_index != kTVMFFIDict) return code;
  struct map_cell *left = map_cell(&args[0]), *right = map_cell(&args[1]);
  if (result->v_int64 || !is_small(left) || left->size == 0 || left->size >= right->size) return code;
  for (uint64_t i = 0; i < left->size; ++i) {
    TVMFFIAny look_up[2] = {args[1], left->data[2 * i]}, count = {0}, same = {0};
    TVMFFIAny pair[2] = {left->data[2 * i + 1], {0}};
    if (call_global("ffi.DictCount", look_up, 2, &count) != 0) return -1;
    if (count.v_int64 == 0) return 0;
    if (call_global("ffi.DictGetItem", look_up, 2, &pair[1]) != 0) return -1;
    code = call_original(original, pair, 2, &same);
    if (pair[1].type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(pair[1].v_obj);
    if (code != 0 || same.v_int64 == 0) return code;
  }
  result->v_int64 = 1;
  return 0;
}

WRAPPED_GLOBAL("ffi.RecursiveEq", equal)
