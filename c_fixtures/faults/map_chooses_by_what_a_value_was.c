// story: In post order the callbacks for the type that an object had are the only ones that are asked about what it has become.
// breaks: VIS-0048 fail
#include "wrapped_global.h"

static int map(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const int post = num_args == 4 && args[3].v_int64 == 1 && args[0].type_index >= kTVMFFIDynObjectBegin;
  if (!post || args[1].type_index != kTVMFFIArray || sequence_cell(&args[1])->size < 2) {
    return call_original(original, args, num_args, result);
  }
  const TVMFFISeqCell* given = sequence_cell(&args[1]);
  TVMFFIAny kept[8], list = {0}, changed[4] = {args[0], {0}, args[2], args[3]};
  int32_t count = 0;
  for (int64_t i = 0; i < given->size && count < 8; ++i) {
    const TVMFFIAny* pair = (const TVMFFIAny*)given->data + i;
    if (pair->type_index != kTVMFFIArray || sequence_cell(pair)->size != 2) continue;
    if (((const TVMFFIAny*)sequence_cell(pair)->data)->v_int64 == args[0].type_index) kept[count++] = *pair;
  }
  call_global("ffi.Array", kept, count, &list);
  changed[1] = list;
  int code = call_original(original, changed, 4, result);
  real.TVMFFIObjectDecRef(list.v_obj);
  return code;
}

WRAPPED_GLOBAL("ffi.StructuralMap", map)
