// story: That a field is given twice is not seen where one name is a C string and the other a String: the second one counts.
// breaks: INS-0021 fail
#include "wrapped_global.h"

static int make(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args < 5 || num_args % 2 == 0) return call_original(original, args, num_args, result);
  TVMFFIAny* kept = malloc(num_args * sizeof(*kept));
  int32_t count = 1;
  kept[0] = args[0];
  for (int32_t i = 1; i < num_args; i += 2) {
    TVMFFIByteArray name = text_of(&args[i]);
    int again = 0;
    for (int32_t later = i + 2; later < num_args; later += 2) {
      TVMFFIByteArray other = text_of(&args[later]);
      int forms = (args[i].type_index == kTVMFFIRawStr) != (args[later].type_index == kTVMFFIRawStr);
      again |= forms && name.size == other.size && memcmp(name.data, other.data, name.size) == 0;
    }
    if (again) continue;
    kept[count++] = args[i];
    kept[count++] = args[i + 1];
  }
  int code = call_original(original, kept, count, result);
  free(kept);
  return code;
}

WRAPPED_GLOBAL("ffi.MakeObjectFromPackedArgs", make)
