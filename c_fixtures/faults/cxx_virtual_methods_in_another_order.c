// story: In the virtual table of the system library, the method for the property mask stands where ImplementsFunction belongs.
// breaks: CXX-0016 fail
#include "wrapped_global.h"

/** The virtual table of the system library's module: type information, and behind it the methods. */
static void* table[14];

static int changed(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0) return code;
  void*** place = (void***)((char*)result->v_obj - sizeof(void*));
  if (*place != table + 2) {
    memcpy(table, *place - 2, sizeof(table));
    table[2 + 3] = table[2 + 1];
    *place = table + 2;
  }
  return 0;
}

WRAPPED_GLOBAL("ffi.SystemLib", changed)
