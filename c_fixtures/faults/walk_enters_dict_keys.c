// story: A structural walk enters the keys of Dicts, though not those of Maps.
// breaks: VIS-0004 fail
#include "wrapped_global.h"

struct map { TVMFFIObject header; TVMFFIAny* data; uint64_t size, slots; };

static int walk(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 4 && args[0].type_index == kTVMFFIDict) {
    struct map* dict = (struct map*)args[0].v_obj;
    for (uint64_t i = 0; dict->slots >> 63 && i < dict->size; i++) {
      TVMFFIAny mine[4] = {dict->data[2 * i], args[1], args[2], args[3]};
      int code = call_original(original, mine, 4, result);
      if (code != 0 || result->type_index != kTVMFFINone) return code;
    }
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.StructuralWalk", walk)
