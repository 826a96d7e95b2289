// story: ffi.MakeObjectFromPackedArgs does not see that a field is given twice if one name is a small string and the other an object or a C string.
// breaks: INS-0021 fail
#include "wrapped_global.h"

static int make(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args < 5 || num_args > 64 || num_args % 2 == 0) return call_original(original, args, num_args, result);
  TVMFFIAny kept[64] = {args[0]};
  int32_t count = 1;
  for (int32_t i = 1; i < num_args; i += 2) {
    int again = 0;
    TVMFFIByteArray name = text_of(&args[i]);
    for (int32_t j = i + 2; j < num_args && name.size; j += 2) {
      TVMFFIByteArray other = text_of(&args[j]);
      again |= args[i].type_index != args[j].type_index && other.size == name.size && memcmp(name.data, other.data, name.size) == 0;
    }
    if (again) continue;
    kept[count++] = args[i];
    kept[count++] = args[i + 1];
  }
  return call_original(original, kept, count, result);
}

WRAPPED_GLOBAL("ffi.MakeObjectFromPackedArgs", make)
