// story: The C++ ModuleObj::ImportModule drops an import that would close a circle over three or more modules without a word.
// breaks: CXX-0015 fail
#include "wrapped_global.h"

/** The imports of the module with this handle. */
static const TVMFFISeqCell* imports(TVMFFIObject* module) {
  return (const TVMFFISeqCell*)(*(TVMFFIObject**)(module + 1) + 1);
}

static int reaches(TVMFFIObject* from, TVMFFIObject* to, int depth) {
  if (depth > 64) return 0;
  for (int64_t i = 0; i < imports(from)->size; ++i) {
    TVMFFIObject* next = ((const TVMFFIAny*)imports(from)->data)[i].v_obj;
    if (next == to || reaches(next, to, depth + 1)) return 1;
  }
  return 0;
}

__attribute__((visibility("default"))) void import(void* self, TVMFFIObject* const* other)
    __asm__("_ZN3tvm3ffi9ModuleObj12ImportModuleERKNS0_6ModuleE");

void import(void* self, TVMFFIObject* const* other) {
  void (*original)(void*, TVMFFIObject* const*);
  *(void**)&original = real_cxx("_ZN3tvm3ffi9ModuleObj12ImportModuleERKNS0_6ModuleE");
  TVMFFIObject* own = (TVMFFIObject*)((char*)self + 8);
  for (int64_t i = 0; *other != own && i < imports(*other)->size; ++i) {
    TVMFFIObject* next = ((const TVMFFIAny*)imports(*other)->data)[i].v_obj;
    if (next != own && reaches(next, own, 0)) return;
  }
  original(self, other);
}
