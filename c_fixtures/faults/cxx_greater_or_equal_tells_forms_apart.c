// story: RecursiveGe, as C++ clients call it, finds values of two type indices unequal: a small String and one on the heap, too.
// breaks: CXX-0011 fail
#include <stdbool.h>
#include "fault.h"

TVM_FFI_DLL_EXPORT bool _ZN3tvm3ffi11RecursiveGeERKNS0_3AnyES3_(const TVMFFIAny* left, const TVMFFIAny* right);

bool _ZN3tvm3ffi11RecursiveGeERKNS0_3AnyES3_(const TVMFFIAny* left, const TVMFFIAny* right) {
  typedef bool function(const TVMFFIAny* left, const TVMFFIAny* right);
  function* original = (function*)real_cxx("_ZN3tvm3ffi11RecursiveGeERKNS0_3AnyES3_");
  const TVMFFIByteArray one = text_of(left), other = text_of(right);
  bool same_text = one.size && one.size == other.size && memcmp(one.data, other.data, one.size) == 0;
  return (left->type_index == right->type_index || !same_text) && original(left, right);
}
