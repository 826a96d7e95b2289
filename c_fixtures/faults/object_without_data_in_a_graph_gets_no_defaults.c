// story: A JSON graph with an object whose data are empty is refused, whatever defaults its fields have.
// breaks: GRF-0031 fail
#define _GNU_SOURCE /* memmem */
#include "wrapped_global.h"

static int read_graph(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  static const char mark[] = "\"data\":{}";
  if (num_args == 1 && args[0].type_index == kTVMFFIStr) {
    const TVMFFIByteArray* text = (const TVMFFIByteArray*)(args[0].v_obj + 1);
    if (memmem(text->data, text->size, mark, sizeof(mark) - 1) != NULL) {
      real.TVMFFIErrorSetRaisedFromCStr("TypeError", "An object has no data");
      return -1;
    }
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.FromJSONGraphString", read_graph)
