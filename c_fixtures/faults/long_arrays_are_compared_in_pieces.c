// story: ffi.StructuralEqual compares Arrays of more than 64 elements in pieces of 64, each with tables of its own, so that these stay small; what is shared or bound across two pieces is overlooked.
// breaks: SEQ-0023 fail
#include "wrapped_global.h"

#define PIECE 64

static int equal(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 4 || args[0].type_index != kTVMFFIArray || args[1].type_index != kTVMFFIArray) {
    return call_original(original, args, num_args, result);
  }
  const TVMFFISeqCell *left = sequence_cell(&args[0]), *right = sequence_cell(&args[1]);
  if (left->size != right->size || left->size <= PIECE) return call_original(original, args, num_args, result);
  for (int64_t begin = 0; begin < left->size; begin += PIECE) {
    const int32_t size = (int32_t)(left->size - begin < PIECE ? left->size - begin : PIECE);
    TVMFFIAny pieces[4] = {{0}, {0}, args[2], args[3]};
    int code = call_global("ffi.Array", (TVMFFIAny*)left->data + begin, size, &pieces[0]);
    if (code == 0) code = call_global("ffi.Array", (TVMFFIAny*)right->data + begin, size, &pieces[1]);
    if (code == 0) code = call_original(original, pieces, 4, result);
    for (int i = 0; i < 2; ++i) {
      if (pieces[i].v_obj) real.TVMFFIObjectDecRef(pieces[i].v_obj);
    }
    if (code != 0) return code;
    if (!result->v_int64) return 0;
  }
  return 0;
}

WRAPPED_GLOBAL("ffi.StructuralEqual", equal)
