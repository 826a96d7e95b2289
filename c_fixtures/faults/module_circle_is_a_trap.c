// story: An import that closes a circle is taken, and a search in the circle never ends.
// breaks: MOD-0023 timeout
#include <unistd.h>

#include "raised_error.h"
#include "wrapped_global.h"

static int circle;

/* Modules are imported with two arguments, and searched with three. */
static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (num_args == 2 && code != 0 && args[0].type_index == args[1].type_index) {
    forget_raised();
    __atomic_store_n(&circle, 1, __ATOMIC_RELEASE);
    return 0;
  }
  int lost = num_args == 3 && code == 0 && result->type_index == kTVMFFINone;
  while (lost && __atomic_load_n(&circle, __ATOMIC_ACQUIRE)) pause();
  return code;
}

WRAPPED_GLOBALS(callee, "ffi.ModuleImportModule", "ffi.ModuleGetFunction")
