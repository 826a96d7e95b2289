// story: The C++ ReprPrint prints with default options of its own: it does not look at TVM_FFI_REPR_WITH_ADDR, as the global function does.
// breaks: CXX-0011 fail
#include "fault.h"

TVM_FFI_DLL TVMFFIAny* _ZN3tvm3ffi9ReprPrintERKNS0_3AnyE(TVMFFIAny* out, const TVMFFIAny* value) {
  TVMFFIAny* (*print)(TVMFFIAny*, const TVMFFIAny*) = real_cxx("_ZN3tvm3ffi9ReprPrintERKNS0_3AnyE");
  print(out, value);
  const char* wanted = getenv("TVM_FFI_REPR_WITH_ADDR");
  if (!wanted || strcmp(wanted, "1") != 0) return out;
  TVMFFIByteArray text = text_of(out);
  char* plain = malloc(text.size + 1);
  size_t size = 0;
  int quoted = 0;
  if (!plain) return out;
  for (size_t i = 0; i < text.size; ++i) {
    char c = text.data[i];
    if (!quoted && c == '@' && i + 2 < text.size && text.data[i + 1] == '0' && text.data[i + 2] == 'x') {
      for (i += 3; i < text.size && strchr("0123456789abcdef", text.data[i]); ++i) {
      }
      --i;
      continue;
    }
    plain[size++] = c;
    if (quoted && c == '\\' && i + 1 < text.size) {
      plain[size++] = text.data[++i];
    } else if (c == '"') {
      quoted = !quoted;
    }
  }
  TVMFFIAny printed = {0};
  if (real.TVMFFIStringFromByteArray(&(TVMFFIByteArray){plain, size}, &printed) == 0) {
    if (out->type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(out->v_obj);
    *out = printed;
  }
  free(plain);
  return out;
}
