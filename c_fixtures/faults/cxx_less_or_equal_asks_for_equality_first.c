// story: The C++ function tvm::ffi::RecursiveLe asks for equality first and then for the order, so it calls NaN less than or equal to NaN where the global function has no order.
// breaks: CXX-0011 fail
#include "fault.h"

typedef _Bool (*comparison)(const TVMFFIAny* left, const TVMFFIAny* right);

__attribute__((visibility("default"))) _Bool _ZN3tvm3ffi11RecursiveLeERKNS0_3AnyES3_(const TVMFFIAny* left,
                                                                                     const TVMFFIAny* right) {
  comparison equal, less;
  void* found = real_cxx("_ZN3tvm3ffi11RecursiveEqERKNS0_3AnyES3_");
  memcpy(&equal, &found, sizeof(found));
  found = real_cxx("_ZN3tvm3ffi11RecursiveLtERKNS0_3AnyES3_");
  memcpy(&less, &found, sizeof(found));
  return equal(left, right) || less(left, right);
}
