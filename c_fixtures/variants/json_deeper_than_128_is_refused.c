// story: JSON texts of more than 128 nested arrays and objects are not read, and not written either: both are a ValueError. The C++ functions do the same.
// admitted: JSN-0019 (deep texts are read or refused with an error); JSN-0018 asks for a hundred levels; RFC 8259 lets an implementation set limits on the maximum depth of nesting.
#include "replaced_globals.h"

enum { kDeepest = 128 };

/** In which line it is too deep, or 0. */
static int too_deep_in_line(TVMFFIByteArray text) {
  int depth = 0, in_string = 0, line = 1;
  for (size_t i = 0; i < text.size; ++i) {
    const char c = text.data[i];
    if (in_string) {
      if (c == '\\') {
        ++i;
      } else if (c == '"') {
        in_string = 0;
      }
    } else if (c == '"') {
      in_string = 1;
    } else if (c == '[' || c == '{') {
      if (++depth > kDeepest) return line;
    } else if (c == ']' || c == '}') {
      --depth;
    } else if (c == '\n') {
      ++line;
    }
  }
  return 0;
}

static int parse(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 1) return call_original(original, args, num_args, result);
  /* The original may take a text out of its slot. */
  TVMFFIAny text = *args, value = {.type_index = kTVMFFINone};
  if (text.type_index == kTVMFFIObjectRValueRef && text.v_ptr && *(TVMFFIObject**)text.v_ptr) {
    text.v_obj = *(TVMFFIObject**)text.v_ptr;
    text.type_index = text.v_obj->type_index;
  }
  const int line = too_deep_in_line(text_of(&text));
  int code = call_original(original, args, num_args, &value);
  if (code != 0) return code;
  if (line) {
    char message[80];
    snprintf(message, sizeof message, "The JSON text is nested more than 128 deep: line %d", line);
    give_up(&value);
    return refuse("ValueError", message);
  }
  *result = value;
  return 0;
}

static int stringify(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny text = {.type_index = kTVMFFINone};
  int code = call_original(original, args, num_args, &text);
  if (code != 0) return code;
  if (too_deep_in_line(text_of(&text))) {
    give_up(&text);
    return refuse("ValueError", "The value is nested more than 128 deep");
  }
  *result = text;
  return 0;
}

static void install(void) {
  put("ffi.json.Parse", parse);
  put("ffi.json.Stringify", stringify);
}

/* For C++: what is too deep is refused as another text or value that the original refuses. */

typedef void* (*Parse)(void* result, const TVMFFIAny* text, TVMFFIAny* message);
typedef void* (*Stringify)(TVMFFIAny* result, const TVMFFIAny* value, const void* indent);

TVM_FFI_DLL void* _ZN3tvm3ffi4json5ParseERKNS0_6StringEPS2_(void* result, const TVMFFIAny* text, TVMFFIAny* message) {
  static const TVMFFIAny no_json = {.type_index = kTVMFFISmallStr, .small_str_len = 1, .v_bytes = "["};
  Parse original = (Parse)real_cxx("_ZN3tvm3ffi4json5ParseERKNS0_6StringEPS2_");
  return original(result, too_deep_in_line(text_of(text)) ? &no_json : text, message);
}

TVM_FFI_DLL void* _ZN3tvm3ffi4json9StringifyERKNS0_3AnyERKNS0_8OptionalIivEE(TVMFFIAny* result, const TVMFFIAny* value,
                                                                            const void* indent) {
  static const TVMFFIAny not_for_json = {.type_index = kTVMFFIOpaquePtr};
  Stringify original = (Stringify)real_cxx("_ZN3tvm3ffi4json9StringifyERKNS0_3AnyERKNS0_8OptionalIivEE");
  void* answer = original(result, value, indent);
  if (!too_deep_in_line(text_of(result))) return answer;
  give_up(result);
  return original(result, &not_for_json, indent);
}
