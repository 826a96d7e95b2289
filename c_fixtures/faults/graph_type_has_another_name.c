// story: The type of a node is written under another name.
// breaks: GRF-0008 fail
#include "wrapped_global.h"

static TVMFFIByteArray text_of(const TVMFFIAny* value) {
  if (value->type_index == kTVMFFIRawStr) return (TVMFFIByteArray){value->v_c_str, strlen(value->v_c_str)};
  if (value->type_index == kTVMFFISmallStr) return (TVMFFIByteArray){value->v_bytes, value->small_str_len};
  if (value->type_index == kTVMFFIStr) return *(TVMFFIByteArray*)(value->v_obj + 1);
  return (TVMFFIByteArray){"", 0};
}

/* The text with another word of the same length in the place of one. */
static int replace(const TVMFFIAny* text, const char* old, const char* new, TVMFFIAny* result) {
  const TVMFFIByteArray bytes = text_of(text);
  const size_t length = strlen(old);
  char* copy = malloc(bytes.size + 1);
  memcpy(copy, bytes.data, bytes.size);
  for (size_t i = 0; i + length <= bytes.size; ++i) {
    if (memcmp(copy + i, old, length) == 0) memcpy(copy + i, new, length);
  }
  const TVMFFIByteArray whole = {copy, bytes.size};
  int code = real.TVMFFIStringFromByteArray(&whole, result);
  free(copy);
  return code;
}

static void release(const TVMFFIAny* text) {
  if (text->type_index == kTVMFFIStr) real.TVMFFIObjectDecRef(text->v_obj);
}

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny text = {.type_index = kTVMFFINone};
  int code = call_original(original, args, num_args, &text);
  if (code != 0) return code;
  code = replace(&text, "\"type\"", "\"kind\"", result);
  release(&text);
  return code;
}

WRAPPED_GLOBAL("ffi.ToJSONGraphString", callee)
