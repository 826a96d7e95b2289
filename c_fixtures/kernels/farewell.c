/* A module that tells when it is unloaded. */
#include "kernel.h"

static int32_t* farewells = NULL;

/* Takes the address of the number to which 1 is added when the library is unloaded. */
KERNEL(watch) {
  if (num_args != 1 || args[0].type_index != kTVMFFIOpaquePtr) {
    TVMFFIErrorSetRaisedFromCStr("TypeError", "watch takes a pointer");
    return -1;
  }
  farewells = (int32_t*)args[0].v_ptr;
  return 0;
}

/* Returns its argument plus 1: not so when the library is gone. */
KERNEL(increment) {
  *result = int_value(args[0].v_int64 + 1);
  return 0;
}

__attribute__((destructor)) static void say_farewell(void) {
  if (farewells != NULL) *farewells += 1;
}
