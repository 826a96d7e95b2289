// story: ffi.GetRegisteredTypeKeys goes from the first to the last built-in type and on from 128: a client's type between is not listed.
// breaks: TYP-0039 fail
#include "wrapped_global.h"

static int list(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny whole = {0};
  int code = call_original(original, args, num_args, &whole);
  if (code != 0) return code;
  const TVMFFISeqCell* cell = sequence_cell(&whole);
  const TVMFFIAny* keys = cell->data;
  TVMFFIAny* kept = calloc((size_t)cell->size + 1, sizeof(TVMFFIAny));
  int32_t num_kept = 0;
  for (int64_t i = 0; i < cell->size; ++i) {
    const TVMFFIByteArray key = text_of(&keys[i]);
    int32_t index = 0;
    if (real.TVMFFITypeKeyToIndex(&key, &index) == 0 && index >= kTVMFFIStaticObjectEnd && index < kTVMFFIDynObjectBegin) continue;
    kept[num_kept++] = keys[i];
  }
  code = call_global("ffi.Array", kept, num_kept, result);
  free(kept);
  real.TVMFFIObjectDecRef(whole.v_obj);
  return code;
}

WRAPPED_GLOBAL("ffi.GetRegisteredTypeKeys", list)
