// story: A name that is longer than any that was registered is known to be missing without a look, and then NULL is not written.
// breaks: GLB-0003 fail
#include "fault.h"

static size_t longest = 64;

static void note(const TVMFFIByteArray* name) {
  size_t known = __atomic_load_n(&longest, __ATOMIC_ACQUIRE);
  while (name && name->size > known &&
         !__atomic_compare_exchange_n(&longest, &known, name->size, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
  }
}

int TVMFFIFunctionSetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle f, int allow_override) {
  note(name);
  return real.TVMFFIFunctionSetGlobal(name, f, allow_override);
}

int TVMFFIFunctionSetGlobalFromMethodInfo(const TVMFFIMethodInfo* method_info, int allow_override) {
  if (method_info) note(&method_info->name);
  return real.TVMFFIFunctionSetGlobalFromMethodInfo(method_info, allow_override);
}

int TVMFFIFunctionGetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle* out) {
  if (name && out && name->size > __atomic_load_n(&longest, __ATOMIC_ACQUIRE)) return 0;
  return real.TVMFFIFunctionGetGlobal(name, out);
}
