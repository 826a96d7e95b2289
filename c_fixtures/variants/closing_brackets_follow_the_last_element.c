// story: With an indent, JSON texts have no line break before a closing bracket and two spaces behind the colon of a key.
// admitted: JSN-0026 promises a line with its indent for each element; where the closing bracket stands and what follows a colon is a SHOULD (JSN-0042), and white space means nothing to a reader. The C++ function writes the same (CXX-0004).
#include "replaced_globals.h"

enum { NO_MEMORY = 1 };

/* Answers a status: an allocator may refuse what is made. */
static int rewrite(TVMFFIAny* value) {
  const TVMFFIByteArray text = text_of(value);
  char* made = malloc(text.size * 2 + 1);
  if (!made) return NO_MEMORY;
  size_t size = 0;
  int inside = 0, lines = 0;
  for (size_t i = 0; i < text.size; ++i) {
    const char c = text.data[i];
    if (inside) {
      made[size++] = c;
      if (c == '\\' && i + 1 < text.size) made[size++] = text.data[++i];
      else if (c == '"') inside = 0;
      continue;
    }
    if (c == '"') inside = 1;
    if (c == '\n') lines = 1;
    if (c == ']' || c == '}') {
      while (size > 0 && (made[size - 1] == ' ' || made[size - 1] == '\n')) --size;
    }
    made[size++] = c;
    if (c == ':' && i + 1 < text.size && text.data[i + 1] == ' ') made[size++] = ' ';
  }
  const TVMFFIByteArray whole = {made, size};
  TVMFFIAny other = {.type_index = kTVMFFINone};
  const int code = lines ? real.TVMFFIStringFromByteArray(&whole, &other) : 0;
  if (lines) {
    give_up(value);
    *value = other;
  }
  free(made);
  return code;
}

static int stringify(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0) code = rewrite(result);
  if (code != NO_MEMORY) return code;
  give_up(result);
  return refuse("MemoryError", "no memory for a JSON text");
}

__attribute__((visibility("default"))) TVMFFIAny* _ZN3tvm3ffi4json9StringifyERKNS0_3AnyERKNS0_8OptionalIivEE(TVMFFIAny* result, const TVMFFIAny* value, const void* indent) {
  ((void* (*)(TVMFFIAny*, const TVMFFIAny*, const void*)) real_cxx("_ZN3tvm3ffi4json9StringifyERKNS0_3AnyERKNS0_8OptionalIivEE"))(result, value, indent);
  rewrite(result);
  return result;
}

/* As headers before 0.1.13 declare it. */
__attribute__((visibility("default"))) TVMFFIAny* _ZN3tvm3ffi4json9StringifyERKNS0_3AnyENS0_8OptionalIivEE(TVMFFIAny* result, const TVMFFIAny* value, const void* indent) {
  ((void* (*)(TVMFFIAny*, const TVMFFIAny*, const void*)) real_cxx("_ZN3tvm3ffi4json9StringifyERKNS0_3AnyENS0_8OptionalIivEE"))(result, value, indent);
  rewrite(result);
  return result;
}

static void install(void) {
  put("ffi.json.Stringify", stringify);
}
