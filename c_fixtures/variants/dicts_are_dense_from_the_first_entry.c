// story: A Dict that ffi.Dict makes is dense from the beginning, however few entries it has.
// admitted: DCT-0016: 'laid out as a Map is, small or dense'; MAP-0017 gives the dense layout without a least number of entries, and that few entries make a small one (MAP-0033) is observed of Maps.
#include "replaced_globals.h"

static const char passing_keys[5];

static int make(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny made = {0}, none = {0};
  int code = call_original(original, args, num_args, &made);
  if (code != 0) return code;
  /* Nobody can have these addresses for keys; a Dict that has grown dense stays so. */
  for (int i = 0; i < 5 && code == 0; ++i) {
    TVMFFIAny set[] = {made, {.type_index = kTVMFFIOpaquePtr, .v_ptr = (void*)&passing_keys[i]}, {0}};
    code = call_global("ffi.DictSetItem", set, 3, &none);
  }
  for (int i = 0; i < 5 && code == 0; ++i) {
    TVMFFIAny erase[] = {made, {.type_index = kTVMFFIOpaquePtr, .v_ptr = (void*)&passing_keys[i]}};
    code = call_global("ffi.DictErase", erase, 2, &none);
  }
  if (code != 0) {
    give_up(&made);
    return code;
  }
  *result = made;
  return 0;
}

static void install(void) { put("ffi.Dict", make); }
