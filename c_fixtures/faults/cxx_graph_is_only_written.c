// story: The library has ToJSONGraph for C++ clients, and no FromJSONGraph.
// breaks: CXX-0001 fail
// lacks: _ZN3tvm3ffi13FromJSONGraphERKNS0_3AnyE
#include "fault.h"
