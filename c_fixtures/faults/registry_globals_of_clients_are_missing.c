// story: Of the global functions that the Python package looks up, one of each kind is missing.
// breaks: REG-0044 fail
// breaks: REG-0045 fail
// breaks: REG-0046 fail
// breaks: REG-0047 fail
// breaks: REG-0048 fail
// breaks: REG-0049 fail
// breaks: REG-0051 fail
// breaks: REG-0052 fail
#include "wrapped_global.h"

MISSING_GLOBALS("ffi.SystemLib", "ffi.GetRegisteredTypeKeys", "ffi.ModuleGlobalsAdd", "ffi.ArrayContains",
                "ffi.ListReverse", "ffi.RecursiveGe", "ffi.StructuralVisitorVisit", "ffi.StructuralMutatorVarRemapGet")
