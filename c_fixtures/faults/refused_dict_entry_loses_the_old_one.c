// story: ffi.DictSetItem takes the key's old entry out before it has memory for the new one.
// breaks: MEM-0002 fail
#include "wrapped_global.h"

static int set_item(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 3 || args[0].type_index != kTVMFFIDict) return call_original(original, args, num_args, result);
  TVMFFIAny* entry = malloc(2 * sizeof(TVMFFIAny));
  if (!entry) {
    TVMFFIAny nothing = {0};
    if (call_global("ffi.DictErase", args, 2, &nothing) != 0) {
      TVMFFIObjectHandle error = NULL;
      real.TVMFFIErrorMoveFromRaised(&error);
      if (error) real.TVMFFIObjectDecRef(error);
    }
    return refuse("MemoryError", "no memory for an entry of a dict");
  }
  entry[0] = args[1];
  entry[1] = args[2];
  const TVMFFIAny changed[3] = {args[0], entry[0], entry[1]};
  int code = call_original(original, changed, 3, result);
  free(entry);
  return code;
}

WRAPPED_GLOBAL("ffi.DictSetItem", set_item)
