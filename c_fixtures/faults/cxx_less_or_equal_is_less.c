// story: RecursiveLe answers what RecursiveLt does.
// breaks: CXX-0011 fail
#include <stdbool.h>
#include "fault.h"

TVM_FFI_DLL_EXPORT bool _ZN3tvm3ffi11RecursiveLeERKNS0_3AnyES3_(const TVMFFIAny* left, const TVMFFIAny* right);

bool _ZN3tvm3ffi11RecursiveLeERKNS0_3AnyES3_(const TVMFFIAny* left, const TVMFFIAny* right) {
  typedef bool function(const TVMFFIAny* left, const TVMFFIAny* right);
  return ((function*)real_cxx("_ZN3tvm3ffi11RecursiveLtERKNS0_3AnyES3_"))(left, right);
}
