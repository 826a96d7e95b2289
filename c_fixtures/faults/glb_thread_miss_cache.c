// story: Each thread remembers the name that it has looked up last without success until it registers a function itself, and does not see that another thread has registered one.
// breaks: GLB-0029 fail
#include "fault.h"
static __thread char missed[256];
static __thread size_t missed_size;
static __thread int any;
int TVMFFIFunctionGetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle* out) {
  if (name && out && any && name->size == missed_size && memcmp(name->data, missed, missed_size) == 0) { *out = NULL; return 0; }
  int code = real.TVMFFIFunctionGetGlobal(name, out);
  if (code == 0 && name && *out == NULL && name->size <= sizeof missed) {
    memcpy(missed, name->data, missed_size = name->size);
    any = 1;
  }
  return code;
}
int TVMFFIFunctionSetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle f, int allow_override) {
  any = 0;
  return real.TVMFFIFunctionSetGlobal(name, f, allow_override);
}
int TVMFFIFunctionSetGlobalFromMethodInfo(const TVMFFIMethodInfo* info, int allow_override) {
  any = 0;
  return real.TVMFFIFunctionSetGlobalFromMethodInfo(info, allow_override);
}
