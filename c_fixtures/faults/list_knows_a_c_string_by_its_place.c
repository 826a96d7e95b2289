// story: ffi.List makes one String of a C string, and takes it again for whatever text of that length stands at the same address at the next call.
// breaks: LST-0001 fail
#include "wrapped_global.h"

static _Thread_local struct { const char* place; size_t size; TVMFFIAny made; } last;

static int list(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny mine[8] = {{0}};
  if (num_args > 8) return call_original(original, args, num_args, result);
  for (int32_t i = 0; i < num_args; ++i) {
    mine[i] = args[i];
    if (args[i].type_index != kTVMFFIRawStr || strlen(args[i].v_c_str) < 8) continue;
    const TVMFFIByteArray text = text_of(&args[i]);
    if (text.data != last.place || text.size != last.size) {
      TVMFFIAny made = {0};
      if (real.TVMFFIStringFromByteArray(&text, &made) != 0) return -1;
      if (last.made.type_index == kTVMFFIStr) real.TVMFFIObjectDecRef(last.made.v_obj);
      last.place = text.data;
      last.size = text.size;
      last.made = made;
    }
    mine[i] = last.made;
  }
  return call_original(original, mine, num_args, result);
}

WRAPPED_GLOBAL("ffi.List", list)
