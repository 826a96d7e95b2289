// story: ffi.DictErase finds a key that is a text on the heap only if it is the very object, not one of the same content.
// breaks: DCT-0004 fail
#include "map_entries.h"
#include "wrapped_global.h"
static int erase(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 2 || args[0].type_index != kTVMFFIDict) return call_original(original, args, num_args, result);
  const int is_long = args[1].type_index == kTVMFFIStr || (args[1].type_index == kTVMFFIRawStr && strlen(args[1].v_c_str) > 7);
  if (!is_long) return call_original(original, args, num_args, result);
  for (TVMFFIAny* entry = first_entry(&args[0]); entry; entry = next_entry(&args[0], entry)) {
    if (entry->type_index == kTVMFFIStr && entry->v_obj == args[1].v_obj) return call_original(original, args, num_args, result);
  }
  *result = (TVMFFIAny){.type_index = kTVMFFINone};
  return 0;
}
WRAPPED_GLOBAL("ffi.DictErase", erase)
