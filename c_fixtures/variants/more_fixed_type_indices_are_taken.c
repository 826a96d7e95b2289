// story: The library has types of its own at the fixed indices 14 to 23 and 79 to 103, as a later release may.
// admitted: c_api.h: kTVMFFIStaticObjectEnd is 'one past the last fixed index in use; it moves whenever one is added'; TYP-0030 speaks of a 'free static index', and these are not free.
#include "replaced_globals_and_types.h"

static void take(int32_t index, int32_t depth, int32_t parent) {
  char key[32];
  const TVMFFIByteArray name = {key, (size_t)snprintf(key, sizeof(key), "fork.Fixed%d", index)};
  real.TVMFFITypeGetOrAllocIndex(&name, index, depth, 0, 0, parent);
}

static void install(void) {
  for (int32_t i = kTVMFFIUnchanged + 1; i < 24; ++i) take(i, 0, -1);
  for (int32_t i = kTVMFFIStaticObjectEnd; i < 104; ++i) take(i, 1, kTVMFFIObject);
}
