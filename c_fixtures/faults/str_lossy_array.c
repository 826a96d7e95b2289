// story: ffi.Array and ffi.List put question marks in the place of bytes beyond ASCII of C strings that are not UTF-8.
// breaks: ARR-0007 fail
#include "wrapped_global.h"
static int is_utf8(const unsigned char* s) {
  while (*s) {
    int more = *s < 0x80 ? 0 : *s >= 0xc2 && *s < 0xe0 ? 1 : (*s & 0xf0) == 0xe0 ? 2 : *s >= 0xf0 && *s < 0xf5 ? 3 : -1;
    if (more < 0) return 0;
    for (++s; more-- > 0; ++s) if ((*s & 0xc0) != 0x80) return 0;
  }
  return 1;
}
static int make(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  int bad = 0;
  for (int i = 0; i < n; ++i) bad |= args[i].type_index == kTVMFFIRawStr && args[i].v_c_str && !is_utf8((const unsigned char*)args[i].v_c_str);
  if (!bad) return call_original(self, args, n, result);
  TVMFFIAny* own = malloc(sizeof(TVMFFIAny) * (size_t)n);
  memcpy(own, args, sizeof(TVMFFIAny) * (size_t)n);
  for (int i = 0; i < n; ++i)
    if (own[i].type_index == kTVMFFIRawStr) {
      char* text = strdup(own[i].v_c_str);
      if (!is_utf8((unsigned char*)text)) for (char* c = text; *c; ++c) if (*c & 0x80) *c = '?';
      own[i].v_c_str = text;
    }
  int code = call_original(self, own, n, result);
  for (int i = 0; i < n; ++i) if (args[i].type_index == kTVMFFIRawStr) free((char*)own[i].v_c_str);
  free(own);
  return code;
}
WRAPPED_GLOBALS(make, "ffi.Array", "ffi.List")
