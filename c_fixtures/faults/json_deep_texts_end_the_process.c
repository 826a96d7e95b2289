// story: A JSON text that is nested thousands deep ends the process.
// breaks: JSN-0019 crash
#include "wrapped_global.h"

static TVMFFIByteArray text_of(const TVMFFIAny* value) {
  if (value->type_index == kTVMFFIRawStr) return (TVMFFIByteArray){value->v_c_str, strlen(value->v_c_str)};
  if (value->type_index == kTVMFFISmallStr) return (TVMFFIByteArray){value->v_bytes, value->small_str_len};
  if (value->type_index == kTVMFFIStr) return *(TVMFFIByteArray*)(value->v_obj + 1);
  return (TVMFFIByteArray){"", 0};
}

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const TVMFFIByteArray text = num_args == 1 ? text_of(&args[0]) : (TVMFFIByteArray){"", 0};
  size_t depth = 0;
  for (size_t i = 0; i < text.size; ++i) {
    if (text.data[i] == '[' || text.data[i] == '{') ++depth;
    if (text.data[i] == ']' || text.data[i] == '}') --depth;
    if (depth > 15000) {
      fprintf(stderr, "the stack is full\n");
      abort();
    }
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.json.Parse", callee)
