// story: A Float is written to JSON with an exponent, 2.0 as 2.0E+0, and the zero of negative sign as the other.
// admitted: JSN-0021: 'a JSON number, with or without a fraction or an exponent, whose decimal value lies so near to it that no other Float is nearer', and 'the zero of negative sign may be written as either zero'; CXX-0004: the C++ functions write the same text.
#include "raised_error.h"
#include "replaced_globals.h"

/** Takes a String in any form and puts another in its place. */
static int rewrite(TVMFFIAny* text);

static int stringify(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny text = {0};
  int code = call_original(original, args, num_args, &text);
  if (code != 0) return code;
  code = rewrite(&text);
  if (code != 0) {
    give_up(&text);
    return code;
  }
  *result = text;
  return 0;
}

static void install(void) { put("ffi.json.Stringify", stringify); }

/* The C++ function, under its two names. What it throws passes through; if there is no memory, the text stays. */
static void* stringify_cxx(const char* name, TVMFFIAny* out, const TVMFFIAny* value, const void* indent) {
  typedef void* (*stringify_function)(TVMFFIAny* out, const TVMFFIAny* value, const void* indent);
  ((stringify_function)real_cxx(name))(out, value, indent);
  if (rewrite(out) != 0) forget_raised();
  return out;
}

#define STRINGIFY(NAME)                                                                                            \
  __attribute__((visibility("default"))) void* NAME(TVMFFIAny* out, const TVMFFIAny* value, const void* indent) { \
    return stringify_cxx(#NAME, out, value, indent);                                                               \
  }
STRINGIFY(_ZN3tvm3ffi4json9StringifyERKNS0_3AnyENS0_8OptionalIivEE)
STRINGIFY(_ZN3tvm3ffi4json9StringifyERKNS0_3AnyERKNS0_8OptionalIivEE)

static int rewrite(TVMFFIAny* text) {
  const TVMFFIByteArray bytes = text_of(text);
  /* At most each second character ends a number, which then is three longer. */
  char* other = malloc(3 * bytes.size + 8);
  if (!other) return refuse("MemoryError", "no memory for a text");
  size_t size = 0;
  int in_string = 0;
  for (size_t i = 0; i < bytes.size;) {
    const char c = bytes.data[i];
    if (in_string) {
      other[size++] = c;
      if (c == '\\' && i + 1 < bytes.size) other[size++] = bytes.data[++i];
      if (c == '"') in_string = 0;
      ++i;
    } else if (c >= '0' && c <= '9') {
      int has_point = 0, has_exponent = 0;
      for (; i < bytes.size && strchr("0123456789.eE+-", bytes.data[i]); ++i) {
        has_point |= bytes.data[i] == '.';
        has_exponent |= bytes.data[i] == 'e' || bytes.data[i] == 'E';
        other[size++] = bytes.data[i] == 'e' ? 'E' : bytes.data[i];
      }
      if (has_point && !has_exponent) {
        memcpy(other + size, "E+0", 3);
        size += 3;
      }
    } else if (c == '-' && bytes.size - i >= 4 && memcmp(bytes.data + i, "-0.0", 4) == 0 &&
               (bytes.size - i == 4 || !strchr("0123456789eE", bytes.data[i + 4]))) {
      /* Of the two zeros, one. */
      ++i;
    } else {
      in_string = c == '"';
      other[size++] = c;
      ++i;
    }
  }
  const TVMFFIByteArray whole = {other, size};
  TVMFFIAny made = {0};
  int code = real.TVMFFIStringFromByteArray(&whole, &made);
  free(other);
  if (code != 0) return code;
  give_up(text);
  *text = made;
  return 0;
}
