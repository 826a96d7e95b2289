// story: The C++ function for the first mismatch takes a pair of paths without steps for no answer.
// breaks: CXX-0007 fail
#include "wrapped_global.h"
#include "access_path.h"

#define MISMATCH _ZN3tvm3ffi15StructuralEqual16GetFirstMismatchERKNS0_3AnyES4_bb

__attribute__((visibility("default"))) void* MISMATCH(void** out, const TVMFFIAny* left, const TVMFFIAny* right, _Bool map_free_vars, _Bool skip) {
  static void* (*original)(void**, const TVMFFIAny*, const TVMFFIAny*, _Bool, _Bool);
  void* found = real_cxx("_ZN3tvm3ffi15StructuralEqual16GetFirstMismatchERKNS0_3AnyES4_bb");
  memcpy(&original, &found, sizeof(original));
  original(out, left, right, map_free_vars, skip);
  if (*out) {
    const TVMFFISeqCell* pair = (TVMFFISeqCell*)((TVMFFIObject*)*out + 1);
    if (pair->size == 2 && path_of((TVMFFIAny*)pair->data)->depth == 0 && path_of((TVMFFIAny*)pair->data + 1)->depth == 0) {
      real.TVMFFIObjectDecRef(*out);
      *out = NULL;
    }
  }
  return out;
}
