// story: ffi.MakeObjectFromPackedArgs compares a name of seven bytes or fewer by its sixteen bytes, so one that comes as a String object is no field.
// breaks: INS-0020 fail
#include "wrapped_global.h"
static int make(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  for (int32_t i = 1; i < num_args; i += 2) {
    if (args[i].type_index == kTVMFFIStr && text_of(&args[i]).size <= 7) return refuse("TypeError", "unexpected field");
  }
  return call_original(original, args, num_args, result);
}
WRAPPED_GLOBAL("ffi.MakeObjectFromPackedArgs", make)
