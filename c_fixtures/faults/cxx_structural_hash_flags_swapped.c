// story: The two flags of the C++ function StructuralHash::Hash are taken in the wrong order.
// breaks: CXX-0006 fail
#include "fault.h"
typedef uint64_t hash(const TVMFFIAny* a, _Bool map_free_vars, _Bool skip_tensor_content);
__attribute__((visibility("default"))) uint64_t _ZN3tvm3ffi14StructuralHash4HashERKNS0_3AnyEbb(const TVMFFIAny* a, _Bool map, _Bool skip) {
  return ((hash*)real_cxx("_ZN3tvm3ffi14StructuralHash4HashERKNS0_3AnyEbb"))(a, skip, map);
}
