// story: ffi.DictSetItem takes two references to a key that is an object when it makes the Dict dense.
// breaks: DCT-0017 fail
#include "wrapped_global.h"

struct map { TVMFFIObject header; TVMFFIAny* data; uint64_t size, slots; };

static int set(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 3 || args[0].type_index != kTVMFFIDict) return call_original(original, args, num_args, result);
  struct map* map = (struct map*)args[0].v_obj;
  int was_small = (int)(map->slots >> 63);
  int code = call_original(original, args, num_args, result);
  if (code == 0 && was_small && !(map->slots >> 63) && args[1].type_index >= kTVMFFIStaticObjectBegin)
    real.TVMFFIObjectIncRef(args[1].v_obj);
  return code;
}

WRAPPED_GLOBAL("ffi.DictSetItem", set)
