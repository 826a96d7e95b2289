// story: ffi.StructuralEqual answers false where there is no memory for its table and none for the error that says so either.
// breaks: MEM-0005 fail
#include "wrapped_global.h"

static int equal(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  void** table = calloc(32, sizeof(void*));
  if (!table) {
    char* message = malloc(64);
    if (!message) {
      *result = (TVMFFIAny){.type_index = kTVMFFIBool, .v_int64 = 0};
      return 0;
    }
    strcpy(message, "no memory for the table of equal values");
    refuse("MemoryError", message);
    free(message);
    return -1;
  }
  __asm__ volatile("" : : "r"(table) : "memory");
  int code = call_original(original, args, num_args, result);
  free(table);
  return code;
}

WRAPPED_GLOBAL("ffi.StructuralEqual", equal)
