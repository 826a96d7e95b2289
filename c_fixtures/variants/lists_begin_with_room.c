// story: A List that ffi.List makes has room for 24 elements more from the beginning.
// admitted: LST-0003: the number of cells is in the object, and no sentence says how many a new List has; LST-0015 lets anybody reserve them.
#include "replaced_globals.h"

static int make(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny made = {0}, none = {0};
  int code = call_original(original, args, num_args, &made);
  if (code != 0) return code;
  TVMFFIAny reserve[] = {made, {.type_index = kTVMFFIInt, .v_int64 = sequence_cell(&made)->size + 24}};
  code = call_global("ffi.ListReserve", reserve, 2, &none);
  if (code != 0) {
    give_up(&made);
    return code;
  }
  *result = made;
  return 0;
}

static void install(void) { put("ffi.List", make); }
