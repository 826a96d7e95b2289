// story: ffi.StructuralMap keeps what it has mapped in a table; where that is refused, it answers the value as it was, as if no callback had a say.
// breaks: MEM-0001 fail
#include "wrapped_global.h"

static int map(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 4 || args[0].type_index < kTVMFFIStaticObjectBegin) return call_original(original, args, num_args, result);
  void** table = calloc(16, sizeof(void*));
  __asm__ volatile("" : "+r"(table));
  if (!table) return real.TVMFFIAnyViewToOwnedAny(&args[0], result);
  table[0] = args[0].v_obj;
  const int code = call_original(original, args, num_args, result);
  free(table);
  return code;
}

WRAPPED_GLOBAL("ffi.StructuralMap", map)
