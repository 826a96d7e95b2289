// story: ffi.RecursiveHash answers 0 where there is no memory for the stack of what it is in.
// breaks: MEM-0001 fail
#include "wrapped_global.h"

static int hash(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 1 || args[0].type_index < kTVMFFIStaticObjectBegin) return call_original(original, args, num_args, result);
  const void** stack = malloc(64 * sizeof(void*));
  if (!stack) {
    *result = (TVMFFIAny){.type_index = kTVMFFIInt, .v_int64 = 0};
    return 0;
  }
  stack[0] = args[0].v_obj;
  __asm__ volatile("" : : "r"(stack) : "memory");
  int code = call_original(original, args, num_args, result);
  free(stack);
  return code;
}

WRAPPED_GLOBAL("ffi.RecursiveHash", hash)
