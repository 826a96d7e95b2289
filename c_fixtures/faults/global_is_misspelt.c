// story: The function that answers metadata is registered under another name.
// breaks: GLB-0023 fail
#include "wrapped_global.h"

MISSING_GLOBALS("ffi.GetGlobalFuncMetadata")
