// story: ffi.MakeObjectFromPackedArgs with a type key takes a field that is given twice and keeps the last value.
// breaks: INS-0021 fail
#include "wrapped_global.h"

static int is_text(const TVMFFIAny* value) {
  return value->type_index == kTVMFFIRawStr || value->type_index == kTVMFFISmallStr || value->type_index == kTVMFFIStr;
}

static int make(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args < 5 || num_args % 2 == 0) return call_original(original, args, num_args, result);
  for (int i = 1; i < num_args; i += 2) if (!is_text(&args[i])) return call_original(original, args, num_args, result);
  if (!is_text(&args[0])) return call_original(original, args, num_args, result);
  TVMFFIAny kept[num_args];
  int count = 1;
  kept[0] = args[0];
  for (int i = 1; i < num_args; i += 2) {
    TVMFFIByteArray name = text_of(&args[i]);
    int again = 0;
    for (int j = i + 2; j < num_args; j += 2) {
      TVMFFIByteArray other = text_of(&args[j]);
      if (other.size == name.size && memcmp(other.data, name.data, name.size) == 0) again = 1;
    }
    if (again) continue;
    kept[count++] = args[i];
    kept[count++] = args[i + 1];
  }
  return call_original(original, kept, count, result);
}

WRAPPED_GLOBAL("ffi.MakeObjectFromPackedArgs", make)
