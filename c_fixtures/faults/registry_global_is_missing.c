// story: The global function that lets go of modules is not registered.
// breaks: REG-0061 fail
#include "wrapped_global.h"

MISSING_GLOBALS("ffi.ModuleGlobalsRemove")
