// story: The reader of JSON graphs takes the index of an ffi.IntEnum as 32 bits, so 4294967296 is the instance with the index 0.
// breaks: ENU-0003 fail
#include "wrapped_global.h"
static int is_int_enum(const char* key, size_t size) {
  const TVMFFIByteArray name = {key, size};
  int32_t index = real.TVMFFITypeGetOrAllocIndex(&name, -1, 0, 0, 0, -2);
  if (index < kTVMFFIDynObjectBegin) return 0;
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(index);
  for (int32_t i = 0; i < info->type_depth; ++i) if (is(&info->type_ancestors[i]->type_key, "ffi.IntEnum")) return 1;
  return 0;
}
static int from_graph(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIByteArray text = num_args == 1 ? text_of(&args[0]) : (TVMFFIByteArray){"", 0};
  char *changed = strndup(text.data, text.size), *at = changed;
  int any = 0;
  while ((at = strstr(at, "\"type\":\""))) {
    char *key = at + 8, *stop = strchr(key, '"');
    at = key;
    if (!stop || strncmp(stop, "\",\"data\":", 9) != 0 || !is_int_enum(key, stop - key)) continue;
    char* behind;
    long long number = strtoll(stop + 9, &behind, 10);
    if (number < 4294967296ll || *behind != '}') continue;
    char digits[32];
    int size = snprintf(digits, sizeof digits, "%*d", (int)(behind - stop - 9), (int32_t)number);
    memcpy(stop + 9, digits, size);
    any = 1;
  }
  TVMFFIAny cut = {.type_index = kTVMFFIRawStr};
  cut.v_c_str = changed;
  int code = any ? call_original(original, &cut, 1, result) : call_original(original, args, num_args, result);
  free(changed);
  return code;
}
WRAPPED_GLOBAL("ffi.FromJSONGraphString", from_graph)
