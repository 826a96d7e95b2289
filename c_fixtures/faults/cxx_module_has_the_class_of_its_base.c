// story: The type information of the system library's module is that of ModuleObj.
// breaks: CXX-0017 fail
#include "virtual_table.h"

extern char _ZTIN3tvm3ffi9ModuleObjE[];

static void change(void** table) {
  table[TYPE_INFORMATION] = _ZTIN3tvm3ffi9ModuleObjE;
}

static int changed(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0) change_virtual_table(result, change);
  return code;
}

WRAPPED_GLOBAL("ffi.SystemLib", changed)
