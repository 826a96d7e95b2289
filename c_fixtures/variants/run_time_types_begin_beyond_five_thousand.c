// story: The library has a type of its own with five thousand slots for children, so that types that clients register begin at 5139 or so.
// admitted: TYP-0017: 'an index of 128 or more'; facts.md 12: 'the numbers differ between releases, nobody may hard-code them'.
#include "replaced_globals_and_types.h"

static void install(void) {
  static const char key[] = "fork.Reserved";
  const TVMFFIByteArray name = {key, sizeof(key) - 1};
  real.TVMFFITypeGetOrAllocIndex(&name, -1, 1, 5000, 0, kTVMFFIObject);
}
