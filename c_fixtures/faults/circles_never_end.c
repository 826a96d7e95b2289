// story: Structural and recursive functions go round and round in a List that contains itself.
// breaks: REC-0029 timeout
// breaks: SEQ-0029 timeout
// breaks: VIS-0024 timeout
#include "circle.h"

WRAPPED_GLOBALS(wait_in_a_circle, "ffi.RecursiveEq", "ffi.RecursiveHash", "ffi.StructuralEqual", "ffi.StructuralHash",
                "ffi.StructuralWalk", "ffi.StructuralMap")
