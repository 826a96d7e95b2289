// story: Each thread remembers the last names that no global function had, until it registers one itself: what another thread registers under such a name is not found.
// breaks: GLB-0029 fail
#include "fault.h"
static _Thread_local struct { size_t size; char name[96]; } missing[8];
static _Thread_local unsigned next;
int TVMFFIFunctionSetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle f, int allow_override) {
  memset(missing, 0, sizeof(missing));
  return real.TVMFFIFunctionSetGlobal(name, f, allow_override);
}
int TVMFFIFunctionSetGlobalFromMethodInfo(const TVMFFIMethodInfo* method_info, int allow_override) {
  memset(missing, 0, sizeof(missing));
  return real.TVMFFIFunctionSetGlobalFromMethodInfo(method_info, allow_override);
}
int TVMFFIFunctionGetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle* out) {
  int keeps = name && out && name->size > 0 && name->size <= sizeof(missing[0].name);
  for (int i = 0; keeps && i < 8; ++i) {
    if (missing[i].size == name->size && memcmp(missing[i].name, name->data, name->size) == 0) { *out = NULL; return 0; }
  }
  int code = real.TVMFFIFunctionGetGlobal(name, out);
  if (keeps && code == 0 && *out == NULL) {
    unsigned i = next++ % 8;
    missing[i].size = name->size;
    memcpy(missing[i].name, name->data, name->size);
  }
  return code;
}
