// story: ffi.GetRegisteredTypeKeys makes its list of C strings: a type key with a NUL inside ends there.
// breaks: TYP-0039 fail
#include "wrapped_global.h"

static int listed(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0) return code;
  TVMFFISeqCell* cell = sequence_cell(result);
  TVMFFIAny* items = cell->data;
  for (int64_t i = 0; i < cell->size; ++i) {
    TVMFFIByteArray text = text_of(&items[i]);
    const char* end = memchr(text.data, 0, text.size);
    if (!end) continue;
    TVMFFIAny cut;
    const TVMFFIByteArray shorter = {text.data, end - text.data};
    if (real.TVMFFIStringFromByteArray(&shorter, &cut) != 0) return -1;
    if (items[i].type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(items[i].v_obj);
    items[i] = cut;
  }
  return 0;
}

WRAPPED_GLOBAL("ffi.GetRegisteredTypeKeys", listed)
